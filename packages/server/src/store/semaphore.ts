/** Lets a fixed number of holders in at once; the others wait in the order in which they came. */
export interface Semaphore {
  readonly waiting: number
  /** Resolves to what gives the place back. */
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
  /** A place is given back once, however often that is said. */
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
