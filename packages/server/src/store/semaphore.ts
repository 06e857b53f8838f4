import { fairQueue } from './fair-queue.ts'

/** Admits a fixed number of holders at once. The others wait in order of arrival, and owners take turns. */
export interface Semaphore {
  readonly held: number
  readonly waiting: number
  /** How many wait for this owner. */
  waitingFor(owner: unknown): number
  /** Resolves to a function that releases the slot. */
  enter(owner?: unknown): Promise<() => void>
}

export function semaphore(slots: number): Semaphore {
  let free = slots
  const queue = fairQueue<() => void>()
  const leave = () => {
    const next = queue.shift()
    if (next === undefined) free += 1
    else next()
  }
  /** Repeated calls release the slot once. */
  const releaser = () => {
    let isHeld = true
    return () => {
      if (isHeld) leave()
      isHeld = false
    }
  }
  return {
    get held() {
      return slots - free
    },
    get waiting() {
      return queue.size
    },
    waitingFor: queue.sizeOf,
    enter(owner) {
      if (free === 0) return new Promise((resolve) => queue.push(owner, () => resolve(releaser())))
      free -= 1
      return Promise.resolve(releaser())
    },
  }
}
