const loopback = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** A base URL's option and its expected path, for error messages. */
export interface ExpectedBaseUrl {
  readonly option: string
  readonly path: string
}

/** Checks the base URL and removes its trailing slash. */
export function requireBaseUrl(baseUrl: string, { option, path }: ExpectedBaseUrl, allowInsecure = false): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`${option} must be an http(s) URL string such as "https://example.com${path}".`)
  }
  // No message repeats the URL, which may contain a password.
  if (url.username || url.password) throw new TypeError(`${option} must not have a user name or password. Use token.`)
  if (url.search || url.hash) throw new TypeError(`${option} must not have a query or a fragment. Use extraQuery.`)
  if (url.protocol === 'http:' && !allowInsecure && !loopback.test(url.hostname)) {
    throw new TypeError(`${option} must be https: http sends secrets unencrypted. Set allowInsecure to allow it.`)
  }
  return url.href.replace(/([^/])\/+$/, '$1')
}
