import type { Platform } from '../platform.ts'
import type { ContractViolations } from './contract/contract-violations.ts'
import { alreadySent, isBrokenConnection } from './faults/broken-connection.ts'
import { createFaultLayer, type FaultLayer, type FaultParts } from './faults/faults.ts'
import { createJournalLayer, type JournalLayer, type JournalOptions, type RequestControls } from './journal/journal.ts'
import { toObservedRequest } from './observed-request.ts'

/** Every request on its way in and out, whichever way it came: written down, disturbed, answered. */
export interface InstrumentedFetch extends Pick<FaultLayer, 'faults' | 'releaseAll'> {
  readonly requests: RequestControls & Pick<JournalLayer, 'close'>
  readonly violations: ContractViolations
  handle(request: Request, env?: object): Promise<Response>
  /** Resolves when no request is under way. */
  whenIdle(): Promise<void>
}

export interface InstrumentOptions extends FaultParts {
  /** False keeps nothing. */
  readonly journal: JournalOptions | false
  readonly violations: ContractViolations
}

export function instrument(
  platform: Pick<Platform, 'handle' | 'app'>,
  { journal: options, violations, ...faultOptions }: InstrumentOptions,
): InstrumentedFetch {
  const underWay = new Set<Promise<unknown>>()
  const { faults, releaseAll: letGo, pauses: pendingWaits, around } = createFaultLayer(platform.app, faultOptions)
  const { record, ...requests } = createJournalLayer({ clock: platform.app.clock, options, violations })
  return {
    faults,
    releaseAll: letGo,
    requests,
    violations,
    handle(request, env) {
      const visit = toObservedRequest(request, env)
      const answering = record(visit, () => around(visit, async () => platform.handle(request, env)))
      underWay.add(answering)
      const answered = answering.finally(() => underWay.delete(answering))
      return env === undefined ? answered : answered.catch(afterFault)
    },
    async whenIdle() {
      // A request that a fault holds is not under way: it may be held for ever.
      while (underWay.size > pendingWaits.count) {
        const some = pendingWaits.count === 0 ? [Promise.allSettled(underWay)] : underWay
        await Promise.race([...some, pendingWaits.next()]).catch(() => undefined)
      }
    },
  }
}

/** Over a port the fault has broken the socket, which says it all. */
function afterFault(thrown: unknown): Response {
  if (isBrokenConnection(thrown)) return alreadySent()
  throw thrown
}
