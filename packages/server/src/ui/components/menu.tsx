import type { Child } from 'hono/jsx'
import type { IconName } from '../icon-names.ts'
import { Icon } from './icon.tsx'

/** What is done rarely, behind a button with three dots. */
export function Menu({ label, children }: { readonly label: string; readonly children: Child }) {
  return (
    <details class="more" data-menu>
      <summary class="button icon-only" aria-label={label} title={label}>
        <Icon name="ellipsis" />
      </summary>
      <div class="menu end">{children}</div>
    </details>
  )
}

interface ItemProps {
  readonly icon: IconName
  readonly children: Child
  readonly isDangerous?: boolean
}

const classOf = (isDangerous: boolean) => (isDangerous ? 'menu-item danger' : 'menu-item')

export function MenuLink({ href, icon, isDangerous = false, children }: ItemProps & { readonly href: string }) {
  return (
    <a class={classOf(isDangerous)} href={href}>
      <Icon name={icon} />
      {children}
    </a>
  )
}

/** Opens a dialog that asks first. */
export function MenuDialog({ opens, icon, isDangerous = false, children }: ItemProps & { readonly opens: string }) {
  return (
    <button class={classOf(isDangerous)} type="button" command="show-modal" commandfor={opens} id={`open-${opens}`}>
      <Icon name={icon} />
      {children}
    </button>
  )
}

/** Does one thing at once. */
export function MenuAction({ action, icon, isDangerous = false, children }: ItemProps & { readonly action: string }) {
  return (
    <form method="post" action={action}>
      <button class={classOf(isDangerous)} type="submit">
        <Icon name={icon} />
        {children}
      </button>
    </form>
  )
}
