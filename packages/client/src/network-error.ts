import type { AttemptState } from './attempt.ts'
import { createError } from './create-error.ts'
import type { NetworkReason } from './errors/details.ts'
import { NetworkError } from './errors/family.ts'

// Runtimes name the same fault differently: Node by a code on the cause, Bun by its own codes, Deno and workers
// only in the message. `true` means that nothing was delivered, because no connection can have been made: only then a
// POST is sent again. A host can also become unreachable, or TLS break, after the request has arrived. `false` is a
// port that speaks another protocol, where a retry would fail the same way.
const patterns: readonly (readonly [NetworkReason, RegExp, boolean?])[] = [
  ['not_http', /not match the HTTP|Malformed_HTTP|invalid [\w -]{1,40} parsed/, false],
  ['tls', /WRONG_VERSION_NUMBER|InvalidContentType/, false],
  ['refused', /ECONNREFUSED|connection ?refused|connect E(HOST|NET)UNREACH|connect EADDRNOTAVAIL/i, true],
  ['dns', /ENOTFOUND|EAI_|getaddrinfo|dns ?(error|exception)|failed to lookup address/i, true],
  ['tls', /CERT_|_CERT|UNABLE_TO_|invalid peer certificate|ALERT_(PROTO|NO_APPL|HANDSH)/, true],
  ['timeout', /UND_ERR_CONNECT_TIMEOUT|connect ETIMEDOUT/, true],
  ['tls', /ERR_TLS|ERR_SSL|EPROTO/],
  ['reset', /ECONNRESET|EPIPE|socket|connection ?(lost|reset|closed|error)|terminated/i],
  ['timeout', /TIMED?OUT/i],
]

const code = /\b(E[A-Z]{3,50}|[A-Z_]{0,40}(ERR_|CERT_|_CERT)[A-Z\d_/]{0,50})\b/

/** Classifies a failed `fetch`. The thrown error is not kept as `cause`, because it may contain the token. */
export function networkError(attempt: AttemptState, thrown: unknown): NetworkError {
  const text = describeThrown(thrown)
  if (/bad port/.test(text)) return notSentError(attempt, 'fetch blocks this port. Correct the base URL.')
  if (/invalid on\w+ method/.test(text))
    return notSentError(
      attempt,
      'fetch refuses the dispatcher in fetchOptions. Pass the fetch of the same undici, too.',
    )
  const [, proxyStatus] = /Proxy response \((\d{3})\)/.exec(text) ?? []
  if (proxyStatus) return proxyError(attempt, Number(proxyStatus))
  const [reason, , canRetry] = patterns.find(([, sign]) => sign.test(text)) ?? (['unknown'] as const)
  if (canRetry) attempt.delivered = attempt.deliveredBefore
  const [systemCode] = code.exec(text) ?? []
  // The address of a proxy differs from that of the platform.
  const [, address] = /(?:connect|getaddrinfo) E\w+ (\S+)/.exec(text) ?? []
  return createError(NetworkError, {
    attempt,
    message: `got no answer from ${new URL(attempt.call.url).host} (${[reason, systemCode, address].filter(Boolean).join(', ')}).${canRetry === false ? ' Correct the base URL.' : ''}`,
    retryable: canRetry ?? attempt.call.repeatable,
    fields: { reason, ...(systemCode && { systemCode }) },
  })
}

/** A forward proxy answered CONNECT with an error status, so nothing reached the platform. */
function proxyError(attempt: AttemptState, status: number): NetworkError {
  attempt.delivered = attempt.deliveredBefore
  attempt.status = status
  return createError(NetworkError, {
    attempt,
    message: `was not sent: the proxy refused the connection to ${new URL(attempt.call.url).host} with ${status}.`,
    retryable: status >= 500 || status === 429,
    fields: { reason: 'proxy' },
  })
}

/** A mistake in the application or its environment. A retry would fail in the same way. */
export function notSentError(attempt: AttemptState, reason: string): NetworkError {
  attempt.attempts -= 1
  attempt.delivered = attempt.deliveredBefore
  return createError(NetworkError, { attempt, message: `was not sent: ${reason}`, fields: { reason: 'fetch' } })
}

/** The error for a `fetch` option that failed by itself. The message is not repeated, because it may contain the token. */
export function fetchOptionError(attempt: AttemptState, mayHaveSent: boolean): NetworkError {
  const message = 'the fetch option threw an error.'
  if (!mayHaveSent) return notSentError(attempt, message)
  return createError(NetworkError, { attempt, message: `got no answer: ${message}`, fields: { reason: 'fetch' } })
}

/** Whether the error is one of `fetch`, whose errors without a code only a browser would name. */
export const isNetworkFailure = (thrown: unknown): boolean =>
  [/^TypeError.*(fetch|load failed|network|connect)/is, ...patterns.map(([, sign]) => sign)].some((sign) =>
    sign.test(describeThrown(thrown)),
  )

/** The names, codes, and messages along the chain of causes. Several addresses of one host fail together in `errors`. */
export function describeThrown(thrown: unknown, depth = 0): string {
  if (!thrown || depth > 4) return ''
  // Without `instanceof`, because tests in Jest run in another realm than `fetch`.
  const { name, code, message, errors, cause } = Object(thrown) as ThrownFields
  return `${name} ${typeof code === 'string' ? code : ''} ${message} ${describeThrown(errors?.[0] ?? cause, depth + 1)}`
}

interface ThrownFields extends Partial<Error> {
  /** Node and Bun have it. */
  readonly code?: unknown
  readonly errors?: readonly unknown[]
}
