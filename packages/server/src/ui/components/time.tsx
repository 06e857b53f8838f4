import { duration, exactTime, longDay, shortDay, shortTime } from '../format.ts'
import { useView } from '../view-context.ts'

/** A short relative time, with the exact time and zone on hover. */
export function Time({ at, exact = false }: { readonly at: string | null | undefined; readonly exact?: boolean }) {
  const view = useView()
  if (at === null || at === undefined) return <>–</>
  const ms = Date.parse(at)
  const full = exactTime(ms, view.zone)
  return (
    <time dateTime={at} title={full}>
      {exact ? full : shortTime(ms, view)}
    </time>
  )
}

/** A date (`YYYY-MM-DD`) in short form, such as `19 Nov`, with the full date on hover. */
export function Day({ on, isLate = false }: { readonly on: string | null; readonly isLate?: boolean }) {
  const { now } = useView()
  if (on === null) return <>–</>
  return (
    <time dateTime={on} title={longDay(on)} class={isLate ? 'late' : undefined}>
      {shortDay(Date.parse(on), { now, zone: 'UTC' })}
      {isLate && <span class="sr"> (overdue)</span>}
    </time>
  )
}

/** The time until or since an instant. */
export function timeLeft(at: string, now: number): { readonly isOver: boolean; readonly text: string } {
  const left = Date.parse(at) - now
  return { isOver: left < 0, text: duration(Math.abs(left)) }
}
