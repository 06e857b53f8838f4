/** Admits a fixed number of holders at once. The others wait in order of arrival. */
export interface Semaphore {
  readonly waiting: number
  /** Resolves to a function that releases the slot. */
  enter(): Promise<() => void>
}

export function semaphore(places: number): Semaphore {
  let free = places
  const queue: (() => void)[] = []
  const leave = () => {
    const next = queue.shift()
    if (next === undefined) free += 1
    else next()
  }
  /** Repeated calls release the slot once. */
  const place = () => {
    let isHeld = true
    return () => {
      if (isHeld) leave()
      isHeld = false
    }
  }
  return {
    get waiting() {
      return queue.length
    },
    enter() {
      if (free === 0) return new Promise((resolve) => queue.push(() => resolve(place())))
      free -= 1
      return Promise.resolve(place())
    },
  }
}
