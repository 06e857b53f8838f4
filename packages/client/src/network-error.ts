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
  ['tls', /CERT_|_CERT|UNABLE_TO_|invalid peer certificate/, true],
  ['timeout', /UND_ERR_CONNECT_TIMEOUT|connect ETIMEDOUT/, true],
  ['tls', /ERR_TLS|ERR_SSL|EPROTO/],
  ['reset', /ECONNRESET|EPIPE|socket|connection ?(lost|reset|closed|error)|terminated/i],
  ['timeout', /TIMED?OUT/i],
]

const code = /\b(E[A-Z]{3,50}|[A-Z_]{0,40}(ERR_|CERT_|_CERT)[A-Z_]{0,40})\b/

/** Classifies a failed `fetch`. The thrown error is not kept as `cause`, because it may contain the token. */
export function networkError(attempt: AttemptState, thrown: unknown): NetworkError {
  const text = describeThrown(thrown)
  const [reason, , canRetry] = patterns.find(([, sign]) => sign.test(text)) ?? (['unknown'] as const)
  if (canRetry) attempt.delivered = attempt.deliveredBefore
  const [systemCode] = code.exec(text) ?? []
  return createError(NetworkError, {
    attempt,
    message: `got no answer from ${new URL(attempt.call.url).host} (${[reason, systemCode].filter(Boolean).join(', ')}).${canRetry === false ? ' Correct the base URL.' : ''}`,
    retryable: canRetry ?? attempt.call.repeatable,
    fields: { reason, ...(systemCode && { systemCode }) },
  })
}

/** The codes and messages along the chain of causes. Several addresses of one host fail together in `errors`. */
export function describeThrown(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error) || depth > 4) return ''
  const { code } = thrown as { code?: unknown } // Node and Bun put it there, the type does not know
  const inner = thrown instanceof AggregateError ? thrown.errors[0] : thrown.cause
  return `${typeof code === 'string' ? code : ''} ${thrown.message} ${describeThrown(inner, depth + 1)}`
}
