import type { Child } from 'hono/jsx'
import type { IconName } from '../icon-names.ts'
import { Icon } from './icon.tsx'

const icons = { ok: 'circle-check', info: 'info', warn: 'triangle-alert', bad: 'circle-alert' } as const

/** An important message about the whole page. */
export function Banner({ tone, children }: { readonly tone: keyof typeof icons; readonly children: Child }) {
  return (
    <div class={`banner ${tone}`}>
      <Icon name={icons[tone]} />
      <div>{children}</div>
    </div>
  )
}

/**
 * Replaces an empty list: what belongs here, and what to do next. If it replaces a whole page, its title
 * is the page heading.
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
