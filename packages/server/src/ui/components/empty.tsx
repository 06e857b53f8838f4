import type { Child } from 'hono/jsx'
import type { IconName } from '../icon-names.ts'
import { Icon } from './icon.tsx'

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
