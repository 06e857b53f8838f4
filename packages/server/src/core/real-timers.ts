// The timers as they were when the server was loaded. A test that puts fake ones in their place (vitest's, sinon's) moves
// its own code's time, not that of the platform beside it, which has a clock of its own.
const { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = globalThis

export { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout }

const { now } = Date

/** Milliseconds since 1970 on the machine's clock, whatever a test has made of `Date`. */
export const machineTimeMs: () => number = now

/** Milliseconds for durations. */
export const stopwatchMs: () => number = performance.now.bind(performance)
