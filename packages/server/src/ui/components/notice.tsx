import type { Child } from 'hono/jsx'
import type { IconName } from '../icon-names.ts'
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

/** In place of a list that has nothing in it: what belongs here, and what to do next. */
export function Empty({
  icon,
  title,
  children,
  actions,
}: {
  readonly icon: IconName
  /** `No tickets yet` */
  readonly title: string
  readonly children?: Child
  readonly actions?: Child
}) {
  return (
    <div class="empty">
      <div class="tile">
        <Icon name={icon} />
      </div>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div class="row">{actions}</div>}
    </div>
  )
}
