import type { AttemptState } from './attempt.ts'
import type { NetworkReason } from './errors/details.ts'
import { NetworkError } from './errors/family.ts'
import { failure } from './failure.ts'

// Runtimes name the same fault differently: Node by a code on the cause, Bun by a code of its own, Deno and workers
// only in the sentence. "Undelivered" is claimed only where no connection can have come about, as a POST is then sent
// again: a host can also become unreachable, or TLS break, after the request has arrived.
const signs: readonly (readonly [NetworkReason, RegExp, 'undelivered'?])[] = [
  ['refused', /ECONNREFUSED|connection ?refused|connect E(HOST|NET)UNREACH|connect EADDRNOTAVAIL/i, 'undelivered'],
  ['dns', /ENOTFOUND|EAI_|getaddrinfo|dns ?(error|exception)|failed to lookup address/i, 'undelivered'],
  ['tls', /CERT_|_CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|invalid peer certificate/, 'undelivered'],
  ['timeout', /UND_ERR_CONNECT_TIMEOUT|connect ETIMEDOUT/, 'undelivered'],
  ['tls', /ERR_TLS|ERR_SSL|EPROTO/],
  ['reset', /ECONNRESET|EPIPE|UND_ERR_SOCKET|socket|connection ?(lost|reset|closed|error)|terminated/i],
  ['timeout', /TIMEOUT|ETIMEDOUT/i],
]

const codes = /^E[A-Z]+$|^(?:UND_)?ERR_|^CERT_|_CERT(?:_|$)/

/** What a failed `fetch` means. The error itself is not chained: one from a foreign `fetch` may hold the token. */
export function networkFailure(attempt: AttemptState, thrown: unknown): NetworkError {
  const text = describeThrown(thrown)
  const [reason, , undelivered] = signs.find(([, sign]) => sign.test(text)) ?? (['unknown'] as const)
  if (undelivered) attempt.delivered = attempt.deliveredBefore
  const systemCode = text.match(/\b[A-Z_]{4,50}\b/g)?.find((word) => codes.test(word))
  return failure(NetworkError, {
    trip: attempt,
    complaint: `got no answer from ${new URL(attempt.call.url).host} (${[reason, systemCode].filter(Boolean).join(', ')}).`,
    retryable: attempt.call.repeatable || undelivered !== undefined,
    fields: { reason, ...(systemCode && { systemCode }) },
  })
}

/** Codes and sentences along the chain of causes; several addresses of one host fail together in `errors`. */
export function describeThrown(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error) || depth > 4) return ''
  const { code } = thrown as { code?: unknown } // Node and Bun put it there, the type does not know
  const inner = thrown instanceof AggregateError ? thrown.errors[0] : thrown.cause
  return `${typeof code === 'string' ? code : ''} ${thrown.message} ${describeThrown(inner, depth + 1)}`
}
