import type { Platform } from '../platform.ts'
import type { Findings } from './contract/findings.ts'
import { isBrokenConnection } from './faults/broken-connection.ts'
import { createFaultLayer, type FaultLayer, type FaultParts } from './faults/faults.ts'
import { alreadySent } from './faults/socket.ts'
import { createJournalLayer, type JournalLayer, type RequestControls } from './journal/journal.ts'
import type { JournalOptions } from './journal/shelf.ts'
import { toVisit } from './visit.ts'

/** Every request on its way in and out, whichever way it came: written down, disturbed, answered. */
export interface WatchedDoor extends Pick<FaultLayer, 'faults' | 'letGo'> {
  readonly requests: RequestControls & Pick<JournalLayer, 'close'>
  readonly findings: Findings
  answer(request: Request, env?: object): Promise<Response>
  /** Resolves when no request is under way. */
  quiet(): Promise<void>
}

export interface DoorOptions extends FaultParts {
  /** False keeps nothing. */
  readonly journal: JournalOptions | false
  readonly findings: Findings
}

export function watchDoor(
  platform: Pick<Platform, 'answer' | 'app'>,
  { journal: options, findings, ...faultOptions }: DoorOptions,
): WatchedDoor {
  const underWay = new Set<Promise<unknown>>()
  const { faults, letGo, pauses, around } = createFaultLayer(platform.app, faultOptions)
  const { record, ...requests } = createJournalLayer({ clock: platform.app.clock, options, findings })
  return {
    faults,
    letGo,
    requests,
    findings,
    answer(request, env) {
      const visit = toVisit(request, env)
      const answering = record(visit, () => around(visit, async () => platform.answer(request, env)))
      underWay.add(answering)
      const answered = answering.finally(() => underWay.delete(answering))
      return env === undefined ? answered : answered.catch(afterFault)
    },
    async quiet() {
      // A request that a fault holds is not under way: it may be held for ever.
      while (underWay.size > pauses.count) {
        const some = pauses.count === 0 ? [Promise.allSettled(underWay)] : underWay
        await Promise.race([...some, pauses.next()]).catch(() => undefined)
      }
    },
  }
}

/** Over a port the fault has broken the socket, which says it all. */
function afterFault(thrown: unknown): Response {
  if (isBrokenConnection(thrown)) return alreadySent()
  throw thrown
}
