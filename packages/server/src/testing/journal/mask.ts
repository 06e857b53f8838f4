import { masked, maskText } from '@service/intake/errors/mask-text'

// A journal is printed, pasted and kept by CI. Credentials are not in it: this file is the one way by which values
// of a request get into an entry or a message.

/**
 * What a secret's name ends with, in lower case and without the signs between its words: `hub.verify_token`,
 * `X-Hub-Signature-256`, `clientSecret` and `google_key` are all in it.
 */
export const secretNames = [
  ...['password', 'passwd', 'passphrase', 'pwd', 'secret', 'secrets', 'token', 'cookie', 'signature', 'authorization'],
  ...['credential', 'credentials', 'jwt', 'apikey', 'accesskey', 'privatekey', 'secretkey', 'sharedkey', 'authkey'],
  ...['signingkey', 'encryptionkey', 'googlekey', 'licensekey', 'databaseurl', 'connectionstring'],
] as const

/** Names that are a secret's in a query only, where `key` is no key of a seed. */
const secretInQuery = new Set(['key', 'sig', 'code', 'auth', 'sid'])

/** Headers of requests that we send or get ourselves. Any other in an object `headers` may be somebody's credential. */
const harmlessHeader =
  /^(?:accept|content|user-agent|host|date|server|x-request-id|idempotency|x-(?:service|github|gitlab)-(?:event|delivery|attempt|sequence)|webhook-(?:id|timestamp))/

const shortestName = 3
const longestName = 100

function isSecretName(name: string): boolean {
  if (name.length < shortestName || name.length > longestName) return false
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/(\D)\d+$/, '$1')
  return secretNames.some((each) => plain.endsWith(each))
}

/** Names in lower case; of a bearer token the scheme is left, of other secrets nothing. */
export function maskHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, maskHeader(name, value)]))
}

function maskHeader(name: string, value: string): string {
  if (!isSecretName(name) && !/(?:^|-)(?:auth|(?<!idempotency-)key)$/i.test(name)) return maskString(value)
  const scheme = /^(bearer|basic|digest) /i.exec(value)?.[0] ?? ''
  return name === 'authorization' ? scheme + masked : masked
}

// It looks for the sign first and for the name behind it: a long word without the sign would be tried from every letter.
const assignment = /=(?<=([\w.-]{1,60})=)[^&\s"'<>;]{1,2000}/g
const onlyUser = /:\/\/[^\s/?#"'@:]{1,200}@/g

/** Text, such as the URL of a receiver or the body of a form, with the secrets inside of it taken out. */
export function maskString(text: string): string {
  return maskText(text)
    .replace(assignment, (whole, name: string) => (isSecretName(name) ? `=${masked}` : whole))
    .replace(onlyUser, `://${masked}@`)
}

/** The parameters of a query, by name. */
export function maskQuery(query: string): Record<string, string> {
  const isSecret = (name: string) => isSecretName(name) || secretInQuery.has(name.toLowerCase())
  return Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => [name, isSecret(name) ? masked : maskString(value)]),
  )
}

/** The same value with secrets taken out, however deep they stand. */
export function maskSecrets(value: unknown): unknown {
  if (typeof value === 'string') return maskString(value)
  if (Array.isArray(value)) return isSecretPair(value) ? [value[0], hide(value[1])] : value.map(maskSecrets)
  if (!isRecord(value)) return value
  const isNamedSecret = typeof value['name'] === 'string' && isSecretName(value['name'])
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isNamedSecret && key === 'value' ? hide(inner) : maskNamed(key, inner),
    ]),
  )
}

/** A value that has a name: of a difference, the field with its path, such as `body.secrets[0]`. */
export function maskNamed(path: string, value: unknown): unknown {
  const names = path.split(/[.[\]]/).filter(Boolean)
  if (names.some(isSecretName)) return hide(value)
  const header = names[names.indexOf('headers') + 1]
  if (!names.includes('headers')) return names.at(-1) === 'errors' ? maskErrors(value) : maskSecrets(value)
  if (header !== undefined) return harmlessHeader.test(header.toLowerCase()) ? maskSecrets(value) : hide(value)
  if (!isRecord(value)) return maskSecrets(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskNamed(`headers.${name}`, inner)]))
}

/** What an answer says of fields, such as `{token: ['The token field is required.']}`, is no secret. */
function maskErrors(value: unknown): unknown {
  if (!isRecord(value)) return maskSecrets(value)
  return Object.fromEntries(
    Object.entries(value).map(([field, list]) => [field, isSentences(list) ? list : maskNamed(field, list)]),
  )
}

const isSentences = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((each) => typeof each === 'string' && /^[A-Z]/.test(each) && each.endsWith('.') && each.includes(' '))

/** Headers also come as a list of pairs. */
const isSecretPair = (list: readonly unknown[]): boolean =>
  list.length === 2 && typeof list[0] === 'string' && isSecretName(list[0])

/** The end of a token, by which its owner knows it and nobody else can use it. */
export const hintOf = (token: string) => `…${token.slice(-4)}`

const isHint = (value: unknown) => typeof value === 'string' && value.length <= 5 && value.startsWith('…')

/** Everything below a secret's name is one. Yes, no and nothing are none, and what is missing is worth knowing about. */
function hide(value: unknown): unknown {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean' || isHint(value)) return value
  if (Array.isArray(value)) return value.map(hide)
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hide(each)])) : masked
}

/** Expressions and the matchers of a test runner are values of their own. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
