const name = /^[\w!#$%&'*+.^`|~-]+$/
const value = /^[\t\x20-\x7e\x80-\xff]*$/
// A header that is there twice reaches the platform as one value with a comma, which fits nothing.
const ours =
  /^(authorization|accept|content-(type|length)|host|idempotency-key|user-agent|x-device-secret|x-service-.*)$/i

/**
 * Checks headers ourselves, because the error of the built-in `Headers` repeats the value, which may be a secret.
 */
export function requireHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [key, text] of Object.entries(headers)) {
    if (ours.test(key))
      throw new TypeError(`headers must not set ${key}: the client does. Use its own options instead.`)
    if (!name.test(key)) throw new TypeError('headers has a name that HTTP does not allow.')
    if (typeof text !== 'string' || !value.test(text)) {
      throw new TypeError(`headers.${key} must be a string of characters that HTTP allows.`)
    }
  }
}
