import type { Duration } from '../duration.ts'
import type { RequestMatch } from '../request-match.ts'

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
export const damages: readonly Damage[] = ['malformed', 'empty', 'truncated', 'wrong-type']

/** `hang`: no answer ever comes. `refused`, `dns` and `tls` fail before a connection is there. */
export type ConnectionFault = 'reset' | 'close' | 'hang' | 'reset-mid-body' | 'refused' | 'dns' | 'tls'
export const connectionFaults: readonly ConnectionFault[] = [
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
