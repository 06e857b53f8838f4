// A journal is printed, pasted and kept by CI. What opens a door is not in it.

export const masked = '***'

const secretHeader = /authorization|cookie|secret|signature|token|api-?key/i
const secretKey = /^(?:.*[_-])?(?:password|passwd|secret|token|api_?key|authorization|credentials?)$/i

/** Names in lower case; of a bearer token the scheme is left, of other secrets nothing. */
export function maskHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, maskHeader(name, value)]))
}

function maskHeader(name: string, value: string): string {
  if (!secretHeader.test(name)) return value
  const scheme = /^(bearer|basic|digest) /i.exec(value)?.[0] ?? ''
  return name === 'authorization' ? scheme + masked : masked
}

/** The same value with secrets taken out, however deep they stand. */
export function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isSecret(key, inner) ? masked : maskSecrets(inner)]),
  )
}

const isSecret = (key: string, value: unknown) => secretKey.test(key) && value !== null && typeof value !== 'object'
