import type { Child } from 'hono/jsx'
import { Icon } from './icon.tsx'

const icons = { ok: 'circle-check', info: 'info', warn: 'triangle-alert', bad: 'circle-alert' } as const

/** Something about the whole page that its reader must know before all else. */
export function Banner({ tone, children }: { readonly tone: keyof typeof icons; readonly children: Child }) {
  return (
    <div class={`banner ${tone}`}>
      <Icon name={icons[tone]} />
      <div>{children}</div>
    </div>
  )
}
