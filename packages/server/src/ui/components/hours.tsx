import type { Child } from 'hono/jsx'

/** A part of a day, in minutes since its midnight. */
export interface Span {
  readonly from: number
  readonly to: number
  /** Whether it goes on. */
  readonly isOpen: boolean
}

export interface HoursRow {
  readonly label: Child
  readonly spans: readonly Span[]
  /** The spans in words. */
  readonly sentence: string
  /** Right of the spans, such as their length. */
  readonly aside: string
  readonly id?: string
}

const minutesOfDay = 1440
const labelled = ['00', '06', '12', '18', '24']

/** Days, one below the other, with when somebody was there. Words stand in HTML, because the drawing is stretched. */
export function Hours({ rows }: { readonly rows: readonly HoursRow[] }) {
  return (
    <div class="hours">
      <div class="hours-scale" aria-hidden="true">
        {labelled.map((hour) => (
          <span>{hour}</span>
        ))}
      </div>
      <ul>
        {rows.map(({ label, spans, sentence, aside, id }) => (
          <li id={id}>
            <span class="hours-label">{label}</span>
            <svg viewBox={`0 0 ${minutesOfDay} 16`} preserveAspectRatio="none" role="img" aria-label={sentence}>
              {[0, 360, 720, 1080, 1440].map((x) => (
                <line class="s-line" x1={x} x2={x} y1="0" y2="16" vector-effect="non-scaling-stroke" />
              ))}
              {spans.map(({ from, to, isOpen }) => (
                <rect class={isOpen ? 'f-ok' : 'f-accent'} x={from} width={Math.max(4, to - from)} y="3" height="10" />
              ))}
            </svg>
            <span class="hours-aside">{aside}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
