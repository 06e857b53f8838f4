import type { PreparedCall } from './prepared-call.ts'

/**
 * What looks wrong with the base URL, in brackets behind a space, or nothing. Pages of a gateway that fails (5xx) say
 * nothing about it. The URL itself is not repeated: its path may hold a secret.
 */
export function baseUrlHint({ settings }: PreparedCall, { status, headers }: Response): string {
  const { option, path } = settings.expectedBaseUrl
  const isPage = status < 500 && headers.get('content-type')?.includes('html')
  if (!isPage && (status !== 404 || settings.baseUrl.endsWith(path))) return ''
  const found = isPage ? 'a web page, not the API' : `${option} does not end with ${path}`
  return ` (${found}: check that ${option} looks like "https://example.com${path}")`
}
