import type { Child } from 'hono/jsx'
import type { IconName } from '../icon-names.ts'
import { ActionButton, Button, type ButtonProps } from './button.tsx'
import { Icon } from './icon.tsx'

/** Asks something before it is done. A `Button` with `opens` shows it. */
export function Dialog({
  id,
  title,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly children: Child
}) {
  return (
    <dialog id={id} class="dialog" aria-labelledby={`${id}-title`}>
      <div class="stack">
        <h2 id={`${id}-title`} dir="auto" tabindex={-1} autofocus>
          {title}
        </h2>
        {children}
      </div>
      <form method="dialog" class="close">
        <button class="button quiet small icon-only" type="submit" aria-label="Close">
          <Icon name="x" />
        </button>
      </form>
    </dialog>
  )
}

interface ConfirmProps {
  readonly id: string
  /** What opens it. */
  readonly button: Pick<ButtonProps, 'icon' | 'label' | 'look' | 'small' | 'children'>
  /** The question. */
  readonly title: string
  /** What happens then. */
  readonly children: Child
  readonly action: string
  /** What the button does that answers yes. */
  readonly does: string
}

/** Asks before something is done that cannot be undone. */
export function Confirm({ id, button, title, children, action, does }: ConfirmProps) {
  return (
    <>
      <Button id={`open-${id}`} opens={id} {...button} />
      <Dialog id={id} title={title}>
        <p>{children}</p>
        <ActionButton action={action} look="danger">
          {does}
        </ActionButton>
      </Dialog>
    </>
  )
}

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
