import type { Platform } from '../platform.ts'
import { createFaultLayer, type FaultLayer } from './faults/faults.ts'
import { createJournalLayer, type JournalLayer } from './journal/journal.ts'
import { toVisit } from './visit.ts'

/** Every request on its way in and out, whichever way it came: written down, disturbed, answered. */
export interface WatchedDoor extends Pick<FaultLayer, 'faults'>, Pick<JournalLayer, 'journal'> {
  answer(request: Request, env?: object): Promise<Response>
  /** Resolves when no request is under way. */
  quiet(): Promise<void>
}

export function watchDoor(platform: Pick<Platform, 'answer'>): WatchedDoor {
  const underWay = new Set<Promise<unknown>>()
  const { faults, around } = createFaultLayer()
  const { journal, record } = createJournalLayer()
  return {
    faults,
    journal,
    answer(request, env) {
      const visit = toVisit(request, env)
      const answering = record(visit, () => around(visit, async () => platform.answer(request, env)))
      underWay.add(answering)
      return answering.finally(() => underWay.delete(answering))
    },
    async quiet() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}
