import type { PreparedCall } from './prepared-call.ts'

/**
 * A hint about a wrong base URL, in parentheses after a space, or nothing. Error pages of a gateway (5xx) say
 * nothing about it. The hint does not repeat the URL, because its path may contain a secret.
 */
export function baseUrlHint({ settings }: PreparedCall, { status, headers }: Response): string {
  const { option, path } = settings.expectedBaseUrl
  const isPage = status < 500 && headers.get('content-type')?.includes('html')
  if (!isPage && (status !== 404 || settings.baseUrl.endsWith(path))) return ''
  const found = isPage ? 'a web page, not the API' : `${option} does not end with ${path}`
  return ` (${found}: check that ${option} looks like "https://example.com${path}")`
}
