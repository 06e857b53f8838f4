/** How a request ended. All but `ok` are failures and are tried again. */
type OutcomeKind = 'ok' | 'dns' | 'refused' | 'reset' | 'tls' | 'timeout' | 'blocked' | 'redirect' | 'status' | 'body'

/** What came of one request. A receiver that fails is no exception: it is data. */
export interface Outcome {
  readonly kind: OutcomeKind
  readonly status: number | null
  /** One sentence for people; null when all went well. */
  readonly error: string | null
  readonly response: string | null
  readonly ip: string | null
  readonly durationMs: number
  readonly retryAfter: string | undefined
  /** What the receiver asks for in the header `webhook-delivery`. */
  readonly directive: ReceiverDirective | undefined
}

/** No more attempts for this delivery, or nothing at all any more. */
export type ReceiverDirective = 'abort-message' | 'disable'

export const readDirective = (header: string | undefined): ReceiverDirective | undefined => {
  const directive = header?.trim().toLowerCase()
  return directive === 'abort-message' || directive === 'disable' ? directive : undefined
}

/** What an answer means by its status alone. Only 2xx is a success; a redirect is not followed and so has failed. */
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

const sentences: Readonly<Record<OutcomeKind, string>> = {
  ok: '',
  dns: 'The host name could not be resolved',
  refused: 'The receiver could not be reached',
  reset: 'The connection was closed before the answer was there',
  tls: 'No secure connection could be made',
  timeout: 'The receiver did not answer in time',
  blocked: '',
  redirect: '',
  status: '',
  body: 'The answer could not be read',
}

/** What a thrown fault means. `answered` tells whether the status was there already, so that only the body is missing. */
export function outcomeOfError(fault: unknown, answered: boolean): Pick<Outcome, 'kind' | 'error'> {
  const code = codeOf(fault)
  const kind = kindOf(code, answered)
  const said = fault instanceof Error ? fault.message : String(fault)
  if (kind === 'blocked') return { kind, error: said }
  return { kind, error: `${sentences[kind]} (${code || said}).` }
}

function kindOf(code: string, answered: boolean): OutcomeKind {
  const kind = byCode[code] ?? (/TLS|SSL|CERT|SIGNATURE|ISSUER|CRL|HOSTNAME_MISMATCH/.test(code) ? 'tls' : 'body')
  return answered && kind === 'reset' ? 'body' : kind
}

/** Where several addresses were tried, the faults come together; the first speaks for them. */
function codeOf(fault: unknown): string {
  if (fault instanceof AggregateError && fault.errors.length > 0) return codeOf(fault.errors[0])
  return fault instanceof Error && 'code' in fault ? String(fault.code) : ''
}
