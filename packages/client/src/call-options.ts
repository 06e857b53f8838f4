import type { FetchOptions, ShouldRetry } from './client-options.ts'
import { requireKnownNames } from './known-names.ts'
import { requireDuration, requireFunction, requireInteger } from './requirements.ts'

/** A value of a query parameter: `null` and `undefined` are left out, lists repeat the name, dates become ISO 8601. */
export type QueryValue = string | number | boolean | Date | null | undefined | readonly QueryValue[]

/** Options of one call. Omitted options come from the client. */
export interface CallOptions {
  /** Ends the call at any stage; it then fails with an `AbortedError` whose `cause` is the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Time limit of one attempt: connect, headers and body together. */
  readonly timeoutMs?: number | undefined
  /** Time limit of the whole call: all attempts, the waits between them, and the token function. */
  readonly deadlineMs?: number | undefined
  /** Attempts after the first. 0 means exactly one request, whatever happens. */
  readonly maxRetries?: number | undefined
  /**
   * Added to the request, e.g. for a gateway. They replace `headers` of the client. The client's own headers, such as
   * `authorization`, cannot be set here, except those in `overrideHeaders` of the client.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Passed to `fetch`, e.g. `{ cache: 'no-store' }`. They replace those of the client. */
  readonly fetchOptions?: FetchOptions | undefined
  /** Replaces `shouldRetry` of the client. */
  readonly shouldRetry?: ShouldRetry | undefined
  /** Query parameters that this version of the package does not know. */
  readonly extraQuery?: Readonly<Record<string, QueryValue>> | undefined
}

/** Options of a call that creates something. */
export interface CreateOptions extends CallOptions {
  /**
   * Sent as `Idempotency-Key` on every attempt. The platform then acts only once, so every fault may be retried.
   * `true` generates a random one. Only for platforms that support the header, such as `@service/server`.
   */
  readonly idempotencyKey?: string | true | undefined
  /** Body fields that this version of the package does not know. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined
}

export const callOptionNames = [
  'signal',
  'timeoutMs',
  'deadlineMs',
  'maxRetries',
  'headers',
  'fetchOptions',
  'shouldRetry',
  'extraQuery',
  'idempotencyKey',
  'extraBody',
] as const satisfies readonly (keyof CreateOptions)[]
true satisfies keyof CreateOptions extends (typeof callOptionNames)[number] ? true : 'callOptionNames is incomplete'

/** Throws a TypeError for invalid options before anything is sent. */
export function requireCallOptions(options: CreateOptions, overridable: readonly string[]): void {
  requireKnownNames('A call', options, callOptionNames)
  requireSharedOptions(options, overridable)
  if (options.signal && !options.signal.addEventListener) throw new TypeError('signal must be an AbortSignal.')
  if (typeof options.idempotencyKey === 'string' && !/^[\x21-\x7e]{1,255}$/.test(options.idempotencyKey)) {
    throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters without spaces, or true.')
  }
}

type SharedOptions = Pick<
  CallOptions,
  'timeoutMs' | 'deadlineMs' | 'maxRetries' | 'shouldRetry' | 'fetchOptions' | 'headers'
>

/** Checks the options that a client and a call have in common. */
export function requireSharedOptions(options: SharedOptions, overridable: readonly string[]): void {
  requireDuration('timeoutMs', options.timeoutMs)
  requireDuration('deadlineMs', options.deadlineMs)
  requireInteger('maxRetries', options.maxRetries)
  requireFunction('shouldRetry', options.shouldRetry)
  requireFetchOptions(options.fetchOptions)
  requireHeaders(options.headers, overridable)
}

const headerName = /^[\w!#$%&'*+.^`|~-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/
// A repeated header would reach the platform as one value with a comma, which is invalid.
const reservedHeaders =
  /^(authorization|accept|content-(type|length)|host|idempotency-key|user-agent|x-device-secret|x-service-.*)$/i

/**
 * Checks headers here, because the error of the built-in `Headers` repeats the value, which may be a secret.
 */
function requireHeaders(headers: CallOptions['headers'], overridable: readonly string[]): void {
  for (const [key, text] of Object.entries(headers ?? {})) {
    if (reservedHeaders.test(key) && !overridable.includes(key.toLowerCase())) {
      throw new TypeError(`headers must not set ${key}, which the client sets.${remedyFor(key)}`)
    }
    if (!headerName.test(key)) throw new TypeError('headers contains a name that HTTP does not allow.')
    if (typeof text !== 'string' || !headerValue.test(text)) {
      throw new TypeError(`headers.${key} must be a string of characters that HTTP allows.`)
    }
  }
}

/** One name for each header, so that a header of a call replaces the one of the client. */
export const lowerCased = (headers: CallOptions['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const remedyFor = (key: string) => (/^authorization$/i.test(key) ? ' Use token, or allow it with overrideHeaders.' : '')

function requireFetchOptions(options: FetchOptions | undefined): void {
  const reserved = Object.keys(options ?? {}).find((name) => /^(method|headers|body|signal|redirect)$/.test(name))
  if (reserved) throw new TypeError(`fetchOptions must not set ${reserved}, which the client sets.`)
}
