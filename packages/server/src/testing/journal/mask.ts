import { masked, maskText } from '@service/intake/errors/mask-text'

// CI prints and stores journals, so they must not contain credentials. All values of a request pass through
// this file before they reach an entry or a message.

/**
 * Suffixes of secret names, in lower case and without punctuation. They match `hub.verify_token`,
 * `X-Hub-Signature-256`, `clientSecret`, and `google_key`.
 */
export const secretNames = [
  ...['password', 'passwd', 'passphrase', 'pwd', 'secret', 'secrets', 'token', 'cookie', 'signature', 'authorization'],
  ...['credential', 'credentials', 'jwt', 'apikey', 'accesskey', 'privatekey', 'secretkey', 'sharedkey', 'authkey'],
  ...['signingkey', 'encryptionkey', 'googlekey', 'licensekey', 'databaseurl', 'connectionstring'],
] as const

/** Secret names in queries only. Elsewhere, a `key` may be the key of a seed. */
const secretInQuery = new Set(['key', 'sig', 'code', 'auth', 'sid'])

/** Headers of the platform or its clients. Any other header in a `headers` object may be a credential. */
const harmlessHeader =
  /^(?:accept|content|user-agent|host|date|server|x-request-id|idempotency|x-(?:service|github|gitlab)-(?:event|delivery|attempt|sequence)|webhook-(?:id|timestamp))/

const minNameLength = 3
const maxNameLength = 100

function isSecretName(name: string): boolean {
  if (name.length < minNameLength || name.length > maxNameLength) return false
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/(\D)\d+$/, '$1')
  return secretNames.some((each) => plain.endsWith(each))
}

/** Names in lower case. The scheme of `authorization` is kept. */
export function maskHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, maskHeader(name, value)]))
}

function maskHeader(name: string, value: string): string {
  if (!isSecretName(name) && !/(?:^|-)(?:auth|(?<!idempotency-)key)$/i.test(name)) return maskString(value)
  const scheme = /^(bearer|basic|digest) /i.exec(value)?.[0] ?? ''
  return name === 'authorization' ? scheme + masked : masked
}

// Matches the equals sign first and then looks behind for the name, so that long words do not cause backtracking.
const assignment = /=(?<=([\w.-]{1,60})=)[^&\s"'<>;]{1,2000}/g
const onlyUser = /:\/\/[^\s/?#"'@:]{1,200}@/g

/** Masks secrets in text, such as a receiver's URL or a form body. */
export function maskString(text: string): string {
  return maskText(text)
    .replace(assignment, (whole, name: string) => (isSecretName(name) ? `=${masked}` : whole))
    .replace(onlyUser, `://${masked}@`)
}

/** Query parameters by name. */
export function maskQuery(query: string): Record<string, string> {
  const isSecret = (name: string) => isSecretName(name) || secretInQuery.has(name.toLowerCase())
  return Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => [name, isSecret(name) ? masked : maskString(value)]),
  )
}

/** Masks secrets at any depth. */
export function maskSecrets(value: unknown): unknown {
  if (typeof value === 'string') return maskString(value)
  if (Array.isArray(value)) return isSecretPair(value) ? [value[0], maskValue(value[1])] : value.map(maskSecrets)
  if (!isRecord(value)) return value
  const isNamedSecret = typeof value['name'] === 'string' && isSecretName(value['name'])
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isNamedSecret && key === 'value' ? maskValue(inner) : maskNamed(key, inner),
    ]),
  )
}

/** Masks a value by its name or path, such as `body.secrets[0]`. */
export function maskNamed(path: string, value: unknown): unknown {
  const names = path.split(/[.[\]]/).filter(Boolean)
  if (names.some(isSecretName)) return maskValue(value)
  const header = names[names.indexOf('headers') + 1]
  if (!names.includes('headers')) return names.at(-1) === 'errors' ? maskErrors(value) : maskSecrets(value)
  if (header !== undefined) return harmlessHeader.test(header.toLowerCase()) ? maskSecrets(value) : maskValue(value)
  if (!isRecord(value)) return maskSecrets(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskNamed(`headers.${name}`, inner)]))
}

/** Field errors, such as `{token: ['The token field is required.']}`, are not secrets. */
function maskErrors(value: unknown): unknown {
  if (!isRecord(value)) return maskSecrets(value)
  return Object.fromEntries(
    Object.entries(value).map(([field, list]) => [field, isSentences(list) ? list : maskNamed(field, list)]),
  )
}

const isSentences = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((each) => typeof each === 'string' && /^[A-Z]/.test(each) && each.endsWith('.') && each.includes(' '))

/** Headers may also be a list of pairs. */
const isSecretPair = (list: readonly unknown[]): boolean =>
  list.length === 2 && typeof list[0] === 'string' && isSecretName(list[0])

/** The last characters of a token: enough to identify it, too few to use it. */
export const toHint = (token: string) => `…${token.slice(-4)}`

const isHint = (value: unknown) => typeof value === 'string' && value.length <= 5 && value.startsWith('…')

/** Masks everything below a secret name, except booleans and missing values. */
function maskValue(value: unknown): unknown {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean' || isHint(value)) return value
  if (Array.isArray(value)) return value.map(maskValue)
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskValue(each)]))
    : masked
}

/** Regular expressions and test runner matchers are not records. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
