import { deadline, setImmediate } from '../core/clock.ts'

export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}

/**
 * Waits for `promise` up to a limit. A later result is passed to `late`. A busy event loop runs its timers before it
 * reads what has arrived, so the loop gets one more turn before the wait times out.
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
      reject(new TimeLimitError(`It took longer than ${Math.round(limitMs)} ms.`))
    }
    const cancelTimer = deadline(limitMs, () => void setImmediate(giveUp))
    promise.then(
      (result) => {
        cancelTimer()
        if (isOver) return late(result)
        isOver = true
        resolve(result)
      },
      (fault: unknown) => {
        cancelTimer()
        isOver = true
        reject(fault)
      },
    )
  })
}
