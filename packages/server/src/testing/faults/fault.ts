import { inspect } from 'node:util'
import { requireKnown } from '../../core/known-keys.ts'
import { type Duration, toMicros } from '../duration.ts'
import { checkMatch, type RequestMatch } from '../observed-request.ts'

/** A fault: its effect, the requests it matches, and how often it applies. Only the first matching fault applies. */
export interface Fault {
  /** Defaults to every request. */
  readonly match?: RequestMatch | undefined
  /** The number of matching requests to skip: `after: 1, times: 1` affects only the second. */
  readonly after?: number | undefined
  /** How often it applies; unlimited by default. */
  readonly times?: number | undefined
  /** The share of matches it applies to, from 0 to 1. Deterministic on a server with `random`, `seed`, or `clock`. */
  readonly probability?: number | undefined
  /**
   * `'after'`: the platform handles the request, then the response is lost or damaged. `'before'` (the default): the
   * platform never sees the request. Faults that damage the platform's own response always apply after.
   */
  readonly when?: 'before' | 'after' | undefined
  /** The status or response to return instead of the platform's. A function must not read the request's body. */
  readonly respond?: number | FaultAnswer | ((request: Request) => Response | Promise<Response>) | undefined
  readonly latency?: Latency | undefined
  /** `'real'` (default): latency takes real time, even if the server's clock is frozen. `'virtual'`: server time. */
  readonly clock?: 'real' | 'virtual' | undefined
  /** Damage to the response body, whether from the platform or `respond`. */
  readonly damage?: Damage | undefined
  /** The speed at which the body is sent. With 0, only the headers are sent. */
  readonly bytesPerSecond?: number | undefined
  readonly connection?: ConnectionFault | undefined
  /** Its name in the journal. By default, a description of the other options. */
  readonly name?: string | undefined
}

/** A response instead of the platform's. */
export interface FaultAnswer {
  /** Defaults to 500. */
  readonly status?: number | undefined
  /** Strings are sent unchanged, other values as JSON. Defaults to the API's error body. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The `Retry-After` header. */
  readonly retryAfterSeconds?: number | undefined
}

/** Fixed, uniform between two bounds, or log-normal: usually near the median, sometimes far above it. */
export type Latency =
  | Duration
  | { readonly min: Duration; readonly max: Duration }
  | { readonly median: Duration; readonly sigma?: number | undefined }

/**
 * `malformed`: truncated JSON with a matching length · `empty`: no body · `truncated`: the connection ends before the
 * announced length · `wrong-type`: JSON with the content type of HTML.
 */
export type Damage = 'malformed' | 'empty' | 'truncated' | 'wrong-type'

/** `hang`: never responds. `refused`, `dns`, and `tls` fail before a connection exists. */
export type ConnectionFault = 'reset' | 'close' | 'hang' | 'reset-mid-body' | 'refused' | 'dns' | 'tls'
/** An active fault. `using` removes it at the end of the block. */
export interface ActiveFault extends Disposable {
  readonly fault: Fault
  readonly name: string
  /** How often it has applied. */
  readonly hits: number
  remove(): void
}

/** Whether the platform handles the request before the fault applies. */
export const appliesAfterWork = ({ when, respond, damage, bytesPerSecond, connection }: Fault): boolean =>
  when === 'after' ||
  (respond === undefined && (damage !== undefined || bytesPerSecond !== undefined || connection === 'reset-mid-body'))

/** Only a fault that refuses all requests can close the ports: a new connection does not reveal its request. */
export const refusesAll = ({ connection, match = {}, after, times, probability }: Fault): boolean =>
  connection === 'refused' &&
  Object.keys(match).length === 0 &&
  after === undefined &&
  times === undefined &&
  probability === undefined

/** Its description in the journal. */
export function nameOf(fault: Fault): string {
  if (fault.name !== undefined) return fault.name
  const { respond, latency, damage, bytesPerSecond, connection } = fault
  const parts = [
    latency === undefined ? [] : `latency ${typeof latency === 'object' ? JSON.stringify(latency) : latency}`,
    respond === undefined ? [] : `answer ${statusOf(respond) ?? 'of a function'}`,
    damage ?? [],
    bytesPerSecond === undefined ? [] : `${bytesPerSecond} bytes/s`,
    connection ?? [],
  ].flat()
  return parts.join(', ') + (fault.when === 'after' ? ' after the work is done' : '')
}

const statusOf = (respond: NonNullable<Fault['respond']>) => {
  if (typeof respond === 'function') return undefined
  return typeof respond === 'number' ? respond : (respond.status ?? 500)
}

type Check = (value: never, name: string) => void

/** Validates each option. */
const checks: { readonly [Name in keyof Required<Fault>]: Check } = {
  match: (match: RequestMatch) => checkMatch(match),
  after: wholeFrom(0),
  times: wholeFrom(1),
  probability(value: number, name) {
    if (!(value >= 0 && value <= 1)) throw wrong(name, 'a number from 0 to 1', value)
  },
  when: oneOf(['before', 'after']),
  respond: checkAnswer,
  latency: checkLatency,
  clock: oneOf(['real', 'virtual']),
  damage: oneOf(['malformed', 'empty', 'truncated', 'wrong-type'] satisfies Damage[]),
  bytesPerSecond: wholeFrom(0),
  connection: oneOf(['reset', 'close', 'hang', 'reset-mid-body', 'refused', 'dns', 'tls'] satisfies ConnectionFault[]),
  name: () => undefined,
}

/** Throws a TypeError that names the option and the remedy: a fault that never applies makes a test meaningless. */
export function checkFault(fault: Fault): void {
  requireKnown(fault, Object.keys(checks), 'A fault')
  for (const [name, value] of Object.entries(fault)) {
    if (value !== undefined) checks[name as keyof Fault](value as never, name) // each name is known, see above
  }
  checkTogether(fault)
}

function wholeFrom(least: number) {
  return (value: number, name: string) => {
    if (Number.isSafeInteger(value) && value >= least) return
    throw wrong(name, `a whole number of at least ${least}`, value)
  }
}

function oneOf(values: readonly string[]) {
  return (value: string, name: string) => {
    if (values.includes(value)) return
    throw wrong(name, `one of ${values.map((each) => `'${each}'`).join(', ')}`, value)
  }
}

function checkLatency(latency: Latency): void {
  if (typeof latency !== 'object') return void toMicros(latency, 'latency')
  if ('median' in latency) {
    requireKnown(latency, ['median', 'sigma'], '`latency`')
    toMicros(latency.median, 'latency.median')
    if (!((latency.sigma ?? 0) >= 0)) throw wrong('latency.sigma', 'a number of 0 or more, say 0.5', latency.sigma)
    return
  }
  if (!('min' in latency && 'max' in latency)) {
    throw wrong('latency', "a duration, {min, max} or {median, sigma?}, e.g. {min: '50ms', max: '2s'}", latency)
  }
  requireKnown(latency, ['min', 'max'], '`latency`')
  const [least, most] = [toMicros(latency.min, 'latency.min'), toMicros(latency.max, 'latency.max')]
  if (least > most) throw wrong('latency.min', 'at most `max`', latency.min)
}

function checkAnswer(respond: NonNullable<Fault['respond']>): void {
  if (typeof respond === 'function') return
  const answer: FaultAnswer = typeof respond === 'number' ? { status: respond } : respond
  if (typeof answer !== 'object' || answer === null) {
    const expected = 'a status, { status, body, headers, retryAfterSeconds }, or a function that returns a Response'
    throw wrong('respond', expected, respond)
  }
  requireKnown(answer, ['status', 'body', 'headers', 'retryAfterSeconds'], '`respond`')
  const { status = 500, retryAfterSeconds = 0, headers = {}, body } = answer
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw wrong('respond.status', 'a whole number from 200 to 599', status)
  }
  wholeFrom(0)(retryAfterSeconds, 'retryAfterSeconds')
  if (!isHeaders(headers)) throw wrong('respond.headers', 'an object with valid names and values of headers', headers)
  if (body !== undefined && toJson(body) === undefined) throw wrong('respond.body', 'text or a JSON value', body)
}

function isHeaders(headers: Readonly<Record<string, string>>): boolean {
  try {
    return new Headers(headers) instanceof Headers
  } catch {
    return false
  }
}

/** Undefined for a function, a BigInt, or a cycle, for example. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

const beforeAnyRequest = ['refused', 'dns', 'tls']

/** Conflicting options. */
function checkTogether({ when, respond, latency, damage, bytesPerSecond, connection, clock }: Fault): void {
  const spoils = damage !== undefined || bytesPerSecond !== undefined
  if (respond === undefined && latency === undefined && connection === undefined && !spoils) {
    throw new TypeError('A fault needs `respond`, `latency`, `damage`, `bytesPerSecond`, or `connection`.')
  }
  if (connection !== undefined && spoils) {
    throw new TypeError(
      '`connection` leaves no body to damage: pass either `connection`, or `damage` and `bytesPerSecond`.',
    )
  }
  if (connection !== undefined && connection !== 'reset-mid-body' && respond !== undefined) {
    throw new TypeError(`With \`connection: '${connection}'\` there is no response: omit \`respond\`.`)
  }
  if (when === 'after' && connection !== undefined && beforeAnyRequest.includes(connection)) {
    throw new TypeError(
      `\`connection: '${connection}'\` applies before any request: omit \`when\`, or use 'reset' for a lost response.`,
    )
  }
  if (when === 'before' && respond === undefined && (spoils || connection === 'reset-mid-body')) {
    throw new TypeError(
      "There is no response to damage before the work is done: omit `when: 'before'` or add `respond`.",
    )
  }
  if (clock !== undefined && latency === undefined) throw new TypeError('`clock` applies to `latency`: add `latency`.')
}

const wrong = (name: string, expected: string, value: unknown) =>
  new TypeError(`\`${name}\` must be ${expected}; it was ${toJson(value) ?? inspect(value)}.`)
