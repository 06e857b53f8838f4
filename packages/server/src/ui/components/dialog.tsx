import type { Child } from 'hono/jsx'
import type { IconName } from '../icon-names.ts'
import { ActionButton, Button, type ButtonProps } from './button.tsx'
import { Icon } from './icon.tsx'

/** A modal dialog, opened by a `Button` with `opens`. */
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
  /** The button that opens the dialog. */
  readonly button: Pick<ButtonProps, 'icon' | 'label' | 'variant' | 'small' | 'children'>
  /** The question. */
  readonly title: string
  /** The consequences. */
  readonly children: Child
  readonly action: string
  /** The label of the confirm button. */
  readonly confirmLabel: string
}

/** Confirms an irreversible action. */
export function Confirm({ id, button, title, children, action, confirmLabel }: ConfirmProps) {
  return (
    <>
      <Button id={`open-${id}`} opens={id} {...button} />
      <Dialog id={id} title={title}>
        <p>{children}</p>
        <ActionButton action={action} variant="danger" once>
          {confirmLabel}
        </ActionButton>
      </Dialog>
    </>
  )
}

/** Rarely used actions in a menu. */
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

/** A menu item that opens a dialog. */
export function MenuDialog({ opens, icon, isDangerous = false, children }: ItemProps & { readonly opens: string }) {
  return (
    <button class={classOf(isDangerous)} type="button" command="show-modal" commandfor={opens} id={`open-${opens}`}>
      <Icon name={icon} />
      {children}
    </button>
  )
}

/** A menu item that acts immediately. */
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
