import type { Child } from 'hono/jsx'
import { findEntry, words } from '../format.ts'

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'mute'

/** A state badge. Failed states have a square, so that color is not the only signal. */
export function Badge({
  tone,
  waiting = false,
  children,
}: {
  readonly tone: Tone
  readonly waiting?: boolean
  readonly children?: Child
}) {
  return <span class={`badge ${tone}${waiting ? ' waiting' : ''}`}>{children}</span>
}

/** A tag. */
export function Tag({ children }: { readonly children: Child }) {
  return (
    <span class="tag" dir="auto">
      {children}
    </span>
  )
}

// The shape shows the state; color repeats it.

const ring = (tone: string, dashes?: string) => (
  <circle class={`s-${tone}`} cx="7" cy="7" r="6" fill="none" stroke-width="1.5" stroke-dasharray={dashes} />
)
const disc = (tone: string) => <circle class={`f-${tone}`} cx="7" cy="7" r="7" />
const stroke = (path: string) => (
  <path class="s-surface" d={path} fill="none" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" />
)

const statusShapes: Readonly<Record<string, () => unknown>> = {
  open: () => ring('mute'),
  todo: () => ring('mute'),
  in_progress: () => (
    <>
      {ring('warn')}
      <path class="f-warn" d="M7 3.5a3.5 3.5 0 0 1 0 7z" />
    </>
  ),
  pending: () => (
    <>
      {ring('info', '2 1.8')}
      <path class="s-info" d="M5.7 5v4M8.3 5v4" stroke-width="1.5" stroke-linecap="round" />
    </>
  ),
  review: () => ring('info', '2 1.8'),
  resolved: () => (
    <>
      {disc('ok')}
      {stroke('M4 7.2l2.1 2.1L10 5.3')}
    </>
  ),
  done: () => (
    <>
      {disc('ok')}
      {stroke('M4 7.2l2.1 2.1L10 5.3')}
    </>
  ),
  closed: () => (
    <>
      {disc('mute')}
      {stroke('M4.8 4.8l4.4 4.4M9.2 4.8L4.8 9.2')}
    </>
  ),
}

interface MarkStyle {
  readonly withLabel?: boolean
  /** Whether the adjacent text already says the same, so screen readers skip it. */
  readonly isDecoration?: boolean
}

/** The status mark of a ticket or task. */
export function StatusMark({ status, ...style }: MarkStyle & { readonly status: string }) {
  const shape = (findEntry(statusShapes, status) ?? statusShapes['open'])?.()
  return <Marked shape={shape} word={words(status)} {...style} />
}

const bars = { low: 1, medium: 2, high: 3 }

export function PriorityMark({ priority, ...style }: MarkStyle & { readonly priority: string }) {
  const filled = findEntry(bars, priority)
  const shape =
    priority === 'urgent' ? (
      <>
        <rect class="f-bad" width="14" height="14" rx="3" />
        {stroke('M7 3.5v4M7 10.4v.1')}
      </>
    ) : (
      [0, 1, 2].map((index) => (
        <rect
          class={filled !== undefined && index < filled ? 'f-text' : 'f-line'}
          x={1 + index * 4.5}
          y={9 - index * 3}
          width="3"
          height={4 + index * 3}
          rx="1"
        />
      ))
    )
  return <Marked shape={shape} word={words(priority)} {...style} />
}

function Marked({
  shape,
  word,
  withLabel = false,
  isDecoration = withLabel,
}: MarkStyle & { readonly shape: unknown; readonly word: string }) {
  const mark = (
    <svg
      class="state"
      viewBox="0 0 14 14"
      {...(isDecoration ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': word })}
    >
      {shape}
    </svg>
  )
  return withLabel ? (
    <span class="person">
      {mark}
      {word}
    </span>
  ) : (
    mark
  )
}
