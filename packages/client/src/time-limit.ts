/** Work with a time limit. */
export interface TimedWork<Result> {
  readonly ms: number
  readonly signal: AbortSignal | undefined
  readonly work: (signal: AbortSignal) => Promise<Result>
  readonly onTimeout: () => Error
  readonly onAbort: () => Error
}

/**
 * Settles when the work does, when the time is up, or when the caller's signal fires, whichever is first. It does
 * not rely on the work to respect its signal, because a custom `fetch` may not. One timer and one listener,
 * both removed afterwards. `AbortSignal.any` and `AbortSignal.timeout` would cost several times as much.
 */
export function withTimeLimit<Result>({ ms, signal, work, onTimeout, onAbort }: TimedWork<Result>): Promise<Result> {
  // A signal that has already fired does not fire again.
  if (signal?.aborted) return Promise.reject(onAbort())
  const controller = new AbortController()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => stop(onTimeout()), ms)
    const abort = () => stop(onAbort())
    signal?.addEventListener('abort', abort)
    function tidy() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    function stop(error: Error) {
      tidy()
      reject(error)
      controller.abort()
    }
    work(controller.signal).finally(tidy).then(resolve, reject)
  })
}
