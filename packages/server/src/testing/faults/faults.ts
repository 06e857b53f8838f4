import type { RequestMatch } from '../request-match.ts'
import type { Visit } from '../visit.ts'

/** What goes wrong, and for which requests. */
export interface Fault {
  readonly match?: RequestMatch
}

/** Faults of a server, in the order in which they are tried. */
export interface Faults {
  add(fault: Fault): void
  clear(): void
}

/** The faults, and the place on the way of a request where they strike. */
export interface FaultLayer {
  readonly faults: Faults
  around(visit: Visit, answer: () => Promise<Response>): Promise<Response>
}

export function createFaultLayer(): FaultLayer {
  return { faults: { add: () => undefined, clear: () => undefined }, around: (_, answer) => answer() }
}
