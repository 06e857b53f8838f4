/** Runs a fixed number of works at once. Callers take turns, so that one with many works does not delay the others. */
export interface FairQueue {
  /** How many works run now. */
  readonly running: number
  readonly waiting: number
  /** Resolves, when it is the caller's turn, to a function that ends the work. Throws `refusal` if too many works wait. */
  enter(caller: Caller): Promise<() => void>
  /** Enters, and ends with `work`. */
  run<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result>
}

/** Whose turn it is, such as a workspace or an address; undefined is one more caller. */
type Caller = string | number | undefined

interface Waiting {
  readonly start: () => void
  readonly refuse: (refusal: Error) => void
}

interface FairQueueOptions {
  readonly slots: number
  /** Unlimited by default. */
  readonly maxWaiting?: number
  readonly refusal?: () => Error
}

export function fairQueue({
  slots,
  maxWaiting = Number.POSITIVE_INFINITY,
  refusal = () => new Error('Too many works wait.'),
}: FairQueueOptions): FairQueue {
  /** The waiting works of each caller, in the order of their turns. */
  const lanes = new Map<Caller, Waiting[]>()
  let running = 0
  let waiting = 0

  /** A full queue gives a place of the caller with most waiting works to one that has at least two fewer. */
  function makeRoom(caller: Caller): void {
    const [longest = []] = [...lanes.values()].toSorted((a, b) => b.length - a.length)
    if (longest.length < (lanes.get(caller)?.length ?? 0) + 2) throw refusal()
    longest.pop()?.refuse(refusal())
    waiting -= 1
  }

  function waitForTurn(caller: Caller): Promise<void> {
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

  async function enter(caller: Caller): Promise<() => void> {
    if (running < slots) running += 1
    else await waitForTurn(caller)
    let isHeld = true
    return () => {
      if (isHeld) leave()
      isHeld = false
    }
  }

  return {
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
    enter,
    async run(caller, work) {
      const leave = await enter(caller)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
