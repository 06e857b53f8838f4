import type { ErrorReport } from './to-error-report.ts'

const mostKnown = 100

/**
 * Holds back what has been reported within the window and counts it. Gives how many were held back since the last
 * report of the same error, or nothing when this one is to be held back too. No timer: it must keep no process alive.
 */
export function burstCounter(windowMs: number, clock: () => number): (report: ErrorReport) => number | undefined {
  const known = new Map<string, { readonly since: number; heldBack: number }>()
  return (report) => {
    const key = JSON.stringify([report.exception, report.message, report.file, report.line])
    const last = known.get(key)
    const now = clock()
    if (last !== undefined && now - last.since < windowMs) {
      last.heldBack += 1
      return undefined
    }
    known.delete(key)
    known.set(key, { since: now, heldBack: 0 })
    const [oldest] = known.keys()
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
    return last?.heldBack ?? 0
  }
}
