import { isIP } from 'node:net'

/** The normalized host name of a URL, a Host header, or an address; empty if invalid. */
export function parseHostName(text: string): string {
  const url = text.includes('://') ? text : `http://${isIP(text) === 6 ? `[${text}]` : text}`
  return URL.canParse(url) ? new URL(url).hostname : ''
}

/** The address that a server listens on by default. */
export const defaultHost = '127.0.0.1'
