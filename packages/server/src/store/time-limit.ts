import { deadline, setImmediate } from '../core/clock.ts'

export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}

/**
 * Waits for `promise` for so long and not longer. What comes later is given to `late`. An event loop that was busy runs
 * its timers before it reads what has arrived meanwhile, so the loop gets one more turn before the wait is given up.
 */
export function withTimeLimit<Result>(
  limitMs: number,
  promise: Promise<Result>,
  late: (result: Result) => void = () => undefined,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let isOver = false
    const giveUp = () => {
      if (isOver) return
      isOver = true
      reject(new TimeLimitError(`It took longer than ${limitMs} ms.`))
    }
    const callOff = deadline(limitMs, () => void setImmediate(giveUp))
    promise.then(
      (result) => {
        callOff()
        if (isOver) return late(result)
        isOver = true
        resolve(result)
      },
      (fault: unknown) => {
        callOff()
        isOver = true
        reject(fault)
      },
    )
  })
}
