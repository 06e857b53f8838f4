/** How a request ended. Every kind except `ok` is a failure and is retried. */
type OutcomeKind = 'ok' | 'dns' | 'refused' | 'reset' | 'tls' | 'timeout' | 'blocked' | 'redirect' | 'status' | 'body'

/** The result of one request. A failing receiver is data, not an exception. */
export interface Outcome {
  readonly kind: OutcomeKind
  readonly status: number | null
  /** One sentence for people; null on success. */
  readonly error: string | null
  readonly response: string | null
  readonly ip: string | null
  readonly durationMs: number
  readonly retryAfter: string | undefined
  /** The value of the response header `webhook-delivery`. */
  readonly directive: ReceiverDirective | undefined
}

/** The receiver stops the attempts of this delivery, or disables the subscription. */
export type ReceiverDirective = 'abort-message' | 'disable'

export const readDirective = (header: string | undefined): ReceiverDirective | undefined => {
  const directive = header?.trim().toLowerCase()
  return directive === 'abort-message' || directive === 'disable' ? directive : undefined
}

/** The outcome of a response status. Only 2xx is a success. Redirects are not followed and count as failures. */
export function outcomeOfStatus(status: number): Pick<Outcome, 'kind' | 'error'> {
  if (status >= 200 && status < 300) return { kind: 'ok', error: null }
  if (status >= 300 && status < 400)
    return { kind: 'redirect', error: `The receiver answered ${status}, and redirects are not followed.` }
  return { kind: 'status', error: `The receiver answered ${status}.` }
}

const byCode: Readonly<Record<string, OutcomeKind>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ENODATA: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  EPROTO: 'tls',
  EGRESS: 'blocked',
}

const messages: Readonly<Record<OutcomeKind, string>> = {
  ok: '',
  dns: 'The host name could not be resolved',
  refused: 'The receiver could not be reached',
  reset: 'The connection was closed before the response arrived',
  tls: 'The TLS connection failed',
  timeout: 'The receiver did not respond in time',
  blocked: '',
  redirect: '',
  status: '',
  body: 'The response could not be read',
}

/** The outcome of a thrown error. With `hasStatus`, only the body is missing. */
export function outcomeOfError(fault: unknown, hasStatus: boolean): Pick<Outcome, 'kind' | 'error'> {
  const code = codeOf(fault)
  const kind = toKind(code, hasStatus)
  const message = fault instanceof Error ? fault.message : String(fault)
  if (kind === 'blocked') return { kind, error: message }
  return { kind, error: `${messages[kind]} (${code || message}).` }
}

function toKind(code: string, hasStatus: boolean): OutcomeKind {
  const kind = byCode[code] ?? (/TLS|SSL|CERT|SIGNATURE|ISSUER|CRL|HOSTNAME_MISMATCH/.test(code) ? 'tls' : 'body')
  return hasStatus && kind === 'reset' ? 'body' : kind
}

/** If several addresses were tried, the error is an AggregateError; its first error decides. */
function codeOf(fault: unknown): string {
  if (fault instanceof AggregateError && fault.errors.length > 0) return codeOf(fault.errors[0])
  return fault instanceof Error && 'code' in fault ? String(fault.code) : ''
}
