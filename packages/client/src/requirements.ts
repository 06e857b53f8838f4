// Timers use a signed 32-bit number. A longer timer fires immediately.
const maxTimerMs = 2 ** 31 - 1

export function requireDuration(option: string, value: number | undefined, least = 1): void {
  if (value === undefined || (Number.isFinite(value) && value >= least && value <= maxTimerMs)) return
  throw new TypeError(`${option} must be a number of milliseconds from ${least} to ${maxTimerMs}.`)
}

export function requireInteger(option: string, value: number | undefined, least = 0): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return
  throw new TypeError(`${option} must be an integer of at least ${least}.`)
}

export function requireFunction(option: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw new TypeError(`${option} must be a function.`)
}
