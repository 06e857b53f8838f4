import { unavailable } from './errors.ts'

/** Runs a fixed number of works at once. Callers take turns, so that one with many works does not delay the others. */
export interface FairQueue {
  /** `caller` names whose turn it is. Throws 503 if too many works wait. */
  run<Result>(caller: string, work: () => Promise<Result>): Promise<Result>
}

interface Waiting {
  readonly start: () => void
  readonly refuse: (refusal: Error) => void
}

interface FairQueueOptions {
  readonly slots: number
  readonly maxWaiting: number
  /** The message of a refusal. */
  readonly message: string
}

export function fairQueue({ slots, maxWaiting, message }: FairQueueOptions): FairQueue {
  /** The waiting works of each caller, in the order of their turns. */
  const lanes = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0

  /** A full queue gives a place of the caller with most waiting works to one that has at least two fewer. */
  function makeRoom(caller: string): void {
    const [longest = []] = [...lanes.values()].toSorted((a, b) => b.length - a.length)
    if (longest.length < (lanes.get(caller)?.length ?? 0) + 2) throw unavailable(message)
    longest.pop()?.refuse(unavailable(message))
    waiting -= 1
  }

  function waitForTurn(caller: string): Promise<void> {
    if (waiting >= maxWaiting) makeRoom(caller)
    waiting += 1
    return new Promise((start, refuse) => {
      const lane = lanes.get(caller) ?? []
      lane.push({ start, refuse })
      lanes.set(caller, lane)
    })
  }

  function leave(): void {
    const [turn] = lanes
    if (turn === undefined) {
      running -= 1
      return
    }
    const [caller, lane] = turn
    lanes.delete(caller)
    const next = lane.shift()
    if (lane.length > 0) lanes.set(caller, lane) // behind the others
    waiting -= 1
    next?.start()
  }

  return {
    async run(caller, work) {
      if (running < slots) running += 1
      else await waitForTurn(caller)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
