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

/**
 * In place of a list that has nothing in it: what belongs here, and what to do next. In place of a whole page its title
 * is the heading of the page.
 */
export function Empty({
  icon,
  title,
  children,
  actions,
  isPage = false,
}: {
  readonly icon: IconName
  /** `No tickets yet` */
  readonly title: string
  readonly children?: Child
  readonly actions?: Child
  readonly isPage?: boolean
}) {
  return (
    <div class="empty">
      <div class="tile">
        <Icon name={icon} />
      </div>
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div class="row">{actions}</div>}
    </div>
  )
}
