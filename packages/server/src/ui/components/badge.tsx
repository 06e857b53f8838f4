import type { Child } from 'hono/jsx'

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'mute'

/** The state of something. Failed has a square, so that colour is not all that tells it. */
export function Badge({
  tone,
  waiting = false,
  children,
}: {
  readonly tone: Tone
  readonly waiting?: boolean
  readonly children: Child
}) {
  return <span class={`badge ${tone}${waiting ? ' waiting' : ''}`}>{children}</span>
}

/** A word that was put on something. */
export function Tag({ children }: { readonly children: Child }) {
  return <span class="tag">{children}</span>
}
