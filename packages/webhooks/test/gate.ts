/** A function that runs until the test opens the gate. */
export function gate() {
  const entered = deferred()
  const finished = deferred()
  return {
    run: () => {
      entered.resolve()
      return finished.promise
    },
    /** Settles once `run` has begun. */
    entered: entered.promise,
    open: finished.resolve,
    fail: finished.reject,
  }
}

function deferred() {
  let resolve: () => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}
