/** Something that runs until the test says so. */
export function gate() {
  const entrance = deferred()
  const exit = deferred()
  return {
    run: () => {
      entrance.resolve()
      return exit.promise
    },
    /** Settles once `run` has begun. */
    entered: entrance.promise,
    open: exit.resolve,
    fail: exit.reject,
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
