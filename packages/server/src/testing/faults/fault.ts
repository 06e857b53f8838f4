import { keysOf, requireKnown } from '../../core/known-keys.ts'
import { type Duration, toMicros } from '../duration.ts'
import { checkMatch, type RequestMatch } from '../request-match.ts'

/** What goes wrong, with which requests, and how often. The first fault whose turn it is strikes, and no other. */
export interface Fault {
  /** Every request where left out. */
  readonly match?: RequestMatch | undefined
  /** So many matching requests pass unharmed first: `after: 1, times: 1` strikes the second alone. */
  readonly after?: number | undefined
  /** How often it strikes; for ever where left out. */
  readonly times?: number | undefined
  /** From 0 to 1: strikes that share of its turns, the same ones in every run of a server with `random`, `seed` or `clock`. */
  readonly probability?: number | undefined
  /**
   * `'after'`: the platform does its work, and then the answer is lost or spoilt. `'before'`, the default, keeps the request
   * from the platform. What spoils the platform's own answer can only come after.
   */
  readonly when?: 'before' | 'after' | undefined
  /** The status or the answer in place of the platform's. A function must leave the request's body alone. */
  readonly respond?: number | FaultAnswer | ((request: Request) => Response | Promise<Response>) | undefined
  readonly latency?: Latency | undefined
  /** Latency takes real time, also where the server's clock stands still, unless it is to pass on the server's clock. */
  readonly clock?: 'real' | 'virtual' | undefined
  /** What is wrong with the body of an answer, the platform's or that of `respond`. */
  readonly damage?: Damage | undefined
  /** The body comes at this speed. */
  readonly bytesPerSecond?: number | undefined
  readonly connection?: ConnectionFault | undefined
  /** What the journal calls it; made from the other options where left out. */
  readonly name?: string | undefined
}

/** An answer in place of the platform's. */
export interface FaultAnswer {
  /** 500 where left out. */
  readonly status?: number | undefined
  /** Text as it is, anything else as JSON; the error body of the API where left out. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** For `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined
}

/** Always the same, evenly between two bounds, or log-normal: mostly near the median, now and then far above. */
export type Latency =
  | Duration
  | { readonly min: Duration; readonly max: Duration }
  | { readonly median: Duration; readonly sigma?: number | undefined }

/**
 * `malformed`: JSON without its end, properly sent · `empty`: no body at all · `truncated`: the connection ends before the
 * length that was announced · `wrong-type`: JSON that says it is HTML.
 */
export type Damage = 'malformed' | 'empty' | 'truncated' | 'wrong-type'
const damages: readonly Damage[] = ['malformed', 'empty', 'truncated', 'wrong-type']

/** `hang`: no answer ever comes. `refused`, `dns` and `tls` fail before a connection is there. */
export type ConnectionFault = 'reset' | 'close' | 'hang' | 'reset-mid-body' | 'refused' | 'dns' | 'tls'
const connectionFaults: readonly ConnectionFault[] = [
  'reset',
  'close',
  'hang',
  'reset-mid-body',
  'refused',
  'dns',
  'tls',
]

/** A fault at work. `using` removes it at the end of the block. */
export interface ActiveFault extends Disposable {
  readonly fault: Fault
  readonly name: string
  /** How often it has struck. */
  readonly hits: number
  remove(): void
}

/** Whether the platform is to do its work before the fault shows. */
export const strikesAfter = ({ when, respond, damage, bytesPerSecond, connection }: Fault): boolean =>
  when === 'after' ||
  (respond === undefined && (damage !== undefined || bytesPerSecond !== undefined || connection === 'reset-mid-body'))

/** Only a server that refuses everybody can close its ports: whom a connection is for is known when it is there. */
export const refusesAll = ({ connection, match = {}, after, times, probability }: Fault): boolean =>
  connection === 'refused' &&
  Object.keys(match).length === 0 &&
  after === undefined &&
  times === undefined &&
  probability === undefined

/** In words, for the journal. */
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

const known = keysOf<Fault>({
  match: true,
  after: true,
  times: true,
  probability: true,
  when: true,
  respond: true,
  latency: true,
  clock: true,
  damage: true,
  bytesPerSecond: true,
  connection: true,
  name: true,
})

/** Throws a TypeError that names the option and the remedy: a fault that never strikes makes a test that proves nothing. */
export function checkFault(fault: Fault): void {
  requireKnown(fault, known, 'A fault')
  if (fault.match !== undefined) checkMatch(fault.match)
  requireWhole(fault, 'after', 0)
  requireWhole(fault, 'times', 1)
  requireWhole(fault, 'bytesPerSecond', 1)
  const { probability = 1, when, damage, connection, clock } = fault
  if (!(probability >= 0 && probability <= 1)) throw wrong('probability', 'a number from 0 to 1', probability)
  requireOneOf('when', ['before', 'after'], when)
  requireOneOf('clock', ['real', 'virtual'], clock)
  requireOneOf('damage', damages, damage)
  requireOneOf('connection', connectionFaults, connection)
  if (fault.latency !== undefined) checkLatency(fault.latency)
  checkAnswer(fault.respond)
  checkTogether(fault)
}

function checkLatency(latency: Latency): void {
  if (typeof latency !== 'object') return void toMicros(latency)
  if ('median' in latency) {
    requireKnown(latency, ['median', 'sigma'], '`latency`')
    toMicros(latency.median)
    if (!((latency.sigma ?? 0) >= 0)) throw wrong('latency.sigma', 'a number of 0 or more, say 0.5', latency.sigma)
    return
  }
  if (!('min' in latency && 'max' in latency)) {
    throw wrong('latency', "a duration, {min, max} or {median, sigma?}, e.g. {min: '50ms', max: '2s'}", latency)
  }
  requireKnown(latency, ['min', 'max'], '`latency`')
  if (toMicros(latency.min) > toMicros(latency.max)) throw wrong('latency.min', 'at most `max`', latency.min)
}

function checkAnswer(respond: Fault['respond']): void {
  if (respond === undefined || typeof respond === 'function') return
  const answer = typeof respond === 'number' ? { status: respond } : respond
  requireKnown(answer, ['status', 'body', 'headers', 'retryAfterSeconds'], '`respond`')
  const { status = 500 } = answer
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw wrong('respond.status', 'a whole number from 200 to 599', status)
  }
  if ('retryAfterSeconds' in answer) requireWhole(answer, 'retryAfterSeconds', 0)
}

const beforeAnyRequest = ['refused', 'dns', 'tls']

/** Options that contradict each other. */
function checkTogether({ when, respond, latency, damage, bytesPerSecond, connection, clock }: Fault): void {
  const spoils = damage !== undefined || bytesPerSecond !== undefined
  if (respond === undefined && latency === undefined && connection === undefined && !spoils) {
    throw new TypeError('A fault needs `respond`, `latency`, `damage`, `bytesPerSecond` or `connection`.')
  }
  if (connection !== undefined && spoils) {
    throw new TypeError('`connection` leaves no body to spoil: give it, or `damage` and `bytesPerSecond`, not both.')
  }
  if (connection !== undefined && connection !== 'reset-mid-body' && respond !== undefined) {
    throw new TypeError(`With \`connection: '${connection}'\` nothing is answered: leave \`respond\` out.`)
  }
  if (when === 'after' && connection !== undefined && beforeAnyRequest.includes(connection)) {
    throw new TypeError(
      `\`connection: '${connection}'\` comes before any request: leave \`when\` out, or use 'reset' for a lost answer.`,
    )
  }
  if (when === 'before' && respond === undefined && (spoils || connection === 'reset-mid-body')) {
    throw new TypeError(
      "There is no answer to spoil before the work is done: leave `when: 'before'` out or add `respond`.",
    )
  }
  if (clock !== undefined && latency === undefined) throw new TypeError('`clock` says how `latency` passes: add one.')
}

function requireWhole<Name extends string>(
  given: { readonly [N in Name]?: number | undefined },
  name: Name,
  least: number,
): void {
  const value = given[name]
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return
  throw wrong(name, `a whole number of at least ${least}`, value)
}

function requireOneOf(name: string, values: readonly string[], value: string | undefined): void {
  if (value === undefined || values.includes(value)) return
  throw wrong(name, `one of ${values.map((each) => `'${each}'`).join(', ')}`, value)
}

const wrong = (name: string, wanted: string, value: unknown) =>
  new TypeError(`\`${name}\` must be ${wanted}; it was ${JSON.stringify(value)}.`)
