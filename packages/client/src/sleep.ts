/** Waits, or ends early when the signal fires, so that no timer keeps a process alive. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Timers may fire up to a millisecond early, and a wait that was asked for is never cut short.
    const timer = setTimeout(done, ms + 1)
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
