/**
 * Replaces the global in the bundle. Jest's fake timers replace it too, and then the bundled HTTP client would never finish
 * closing. Promises are always real.
 */
export const queueMicrotask = (callback: () => void): void => void Promise.resolve().then(callback)
