import type { Child } from 'hono/jsx'
import { count } from '../format.ts'

// Charts are rendered on the server. Text is HTML, because the SVG is stretched; a sentence and a table
// make the data accessible.

/** A point in time or a day, with a value per series. */
export interface Bar {
  readonly label: string
  readonly values: readonly number[]
}

export interface Series {
  readonly name: string
  readonly tone: 'accent' | 'ok' | 'warn' | 'bad' | 'mute'
}

interface BarChartProps {
  /** A summary with the key numbers. */
  readonly sentence: string
  /** In stacking order, lowest first. */
  readonly series: readonly Series[]
  readonly bars: readonly Bar[]
}

const height = 140

/** Stacked bars. */
export function BarChart({ sentence, series, bars }: BarChartProps) {
  const highest = roundUp(Math.max(1, ...bars.map(({ values }) => sum(values))))
  const labelled = [0, 0.25, 0.5, 0.75, 1].map((part) => bars[Math.round(part * (bars.length - 1))]?.label ?? '')
  return (
    <>
      <div class="chart">
        <div class="scale" aria-hidden="true">
          <span>{count(highest)}</span>
          <span>{count(highest / 2)}</span>
          <span>0</span>
        </div>
        <svg viewBox={`0 0 ${bars.length * 10} ${height}`} preserveAspectRatio="none" role="img" aria-label={sentence}>
          {[0.5, height / 2, height - 0.5].map((y) => (
            <line class="s-line" x1="0" x2={bars.length * 10} y1={y} y2={y} vector-effect="non-scaling-stroke" />
          ))}
          {bars.map((bar, index) => (
            <Stack values={bar.values} series={series} x={index * 10 + 2} scale={height / highest} />
          ))}
        </svg>
        <div class="labels" aria-hidden="true">
          {labelled.map((label) => (
            <span>{label}</span>
          ))}
        </div>
      </div>
      <ChartTable series={series} bars={bars} />
    </>
  )
}

interface StackProps {
  readonly values: readonly number[]
  readonly series: readonly Series[]
  readonly x: number
  readonly scale: number
}

/** Nonzero values are at least two pixels high. */
function Stack({ values, series, x, scale }: StackProps) {
  let top = height
  return (
    <>
      {values.map((value, index) => {
        const size = value === 0 ? 0 : Math.max(2, value * scale)
        top -= size
        return (
          value > 0 && <rect class={`f-${series[index]?.tone ?? 'accent'}`} x={x} width="6" y={top} height={size} />
        )
      })}
    </>
  )
}

function ChartTable({ series, bars }: Pick<BarChartProps, 'series' | 'bars'>) {
  return (
    <details class="chart-table">
      <summary>Show as table</summary>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">When</th>
            {series.map(({ name }) => (
              <th scope="col" class="right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ label, values }) => (
            <tr>
              <td>{label}</td>
              {values.map((value) => (
                <td class="right">{count(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

export function Legend({ series }: Pick<BarChartProps, 'series'>) {
  return (
    <span class="legend">
      {series.map(({ name, tone }) => (
        <span>
          <svg viewBox="0 0 8 8" aria-hidden="true">
            <rect class={`f-${tone}`} width="8" height="8" rx="2" />
          </svg>
          {name}
        </span>
      ))}
    </span>
  )
}

/** A trend line without text, shown next to the number. */
export function Sparkline({ values, tone = 'accent' }: { readonly values: readonly number[]; tone?: Series['tone'] }) {
  const highest = Math.max(1, ...values)
  const step = 88 / Math.max(1, values.length - 1)
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)} ${(27 - (25 * value) / highest).toFixed(1)}`,
  )
  const line = `M${points.join('L')}`
  return (
    <svg class="spark" viewBox="0 0 88 28" aria-hidden="true">
      <path class={`area f-${tone}`} d={`${line}L88 28L0 28Z`} />
      <path class={`s-${tone}`} d={line} fill="none" stroke-width="1.5" />
    </svg>
  )
}

/** Horizontal bars by name. The largest value has the full width. */
export function Bars({
  rows,
  tone = 'accent',
}: {
  readonly rows: readonly (readonly [string, number])[]
  tone?: Series['tone']
}) {
  const most = Math.max(1, ...rows.map(([, value]) => value))
  return (
    <div class="bars">
      {rows.map(([name, value]) => (
        <>
          <span class="clip">{name}</span>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect class="f-line" width="100" height="8" opacity="0.5" />
            <rect class={`f-${tone}`} width={Math.max(1, (100 * value) / most)} height="8" />
          </svg>
          <span class="right">{count(value)}</span>
        </>
      ))}
    </div>
  )
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Rounds up to 2, 4, 10, 20, 40, 100 …, so that half of the maximum is a whole number too. */
function roundUp(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most))
  return [2, 4, 6, 8, 10, 20].map((factor) => factor * power).find((top) => top >= most) ?? most
}

/** A time span in minutes since midnight. */
export interface Span {
  readonly from: number
  readonly to: number
  /** Whether the span has not ended. */
  readonly isOpen: boolean
}

export interface HoursRow {
  readonly label: Child
  readonly spans: readonly Span[]
  /** A text description of the spans. */
  readonly sentence: string
  /** Text to the right of the spans, such as their length. */
  readonly aside: Child
  readonly id?: string
}

const minutesOfDay = 1440
const labelled = ['00', '06', '12', '18', '24']

/** One row of presence spans per day. Text is HTML, because the SVG is stretched. */
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
