/** Creates a manual clock. Pass its `now` to `verify`, a handler, or `dedupe`. */
export function fakeClock(startAt: number | string | Date = '2026-11-20T18:51:53Z') {
  let nowMs = new Date(startAt).getTime()
  return {
    now: () => nowMs,
    advance(milliseconds: number): void {
      nowMs += milliseconds
    },
  }
}
