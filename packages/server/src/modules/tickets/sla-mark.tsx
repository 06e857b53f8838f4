import { timeLeft } from '../../ui/components/time.tsx'
import { useView } from '../../ui/view-context.ts'

const hourMs = 3_600_000
/** The ring is full at this time or more. */
const fullRingMs = 8 * hourMs
const soonMs = 2 * hourMs

/** The time left until an SLA target: a ring of the last eight hours, colored in the last two, and a disc when over. */
export function SlaMark({ dueAt }: { readonly dueAt: string | null }) {
  const { now } = useView()
  if (dueAt === null) return <>–</>
  const { isOver, text: exact } = timeLeft(dueAt, now)
  const text = exact.replace(/ h .*/, ' h')
  const leftMs = Date.parse(dueAt) - now
  if (isOver)
    return (
      <span class="sla late">
        <svg class="state" viewBox="0 0 14 14" aria-hidden="true">
          <circle class="f-bad" cx="7" cy="7" r="7" />
          <path class="s-surface" d="M7 3.5V7l2 2" fill="none" stroke-width="1.5" stroke-linecap="round" />
        </svg>
        {text} over
      </span>
    )
  const isSoon = leftMs < soonMs
  const part = Math.min(1, leftMs / fullRingMs) * 100
  return (
    <span class={isSoon ? 'sla soon' : 'sla'}>
      <svg class="state" viewBox="0 0 14 14" aria-hidden="true">
        <circle class="s-line" cx="7" cy="7" r="5.5" fill="none" stroke-width="2" />
        <circle
          class={isSoon ? 's-warn' : 's-mute'}
          cx="7"
          cy="7"
          r="5.5"
          fill="none"
          stroke-width="2"
          pathLength="100"
          stroke-dasharray={`${part} 100`}
          transform="rotate(-90 7 7)"
        />
      </svg>
      {text}
      <span class="sr"> left</span>
    </span>
  )
}
