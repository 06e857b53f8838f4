import type { Child } from 'hono/jsx'
import type { IconName } from '../icon-names.ts'
import { Icon } from './icon.tsx'

interface Look {
  readonly look?: 'primary' | 'quiet' | 'danger' | undefined
  readonly small?: boolean
  readonly icon?: IconName
  readonly children?: Child
  /** The accessible name of an icon-only button. */
  readonly label?: string
  /** Keyboard shortcut for the same action. */
  readonly shortcut?: string
  readonly id?: string
}

const classOf = ({ look, small, children }: Look) =>
  ['button', look, small === true && 'small', children === undefined && 'icon-only'].filter(Boolean).join(' ')

export interface ButtonProps extends Look {
  readonly type?: 'submit' | 'button'
  readonly name?: string
  readonly value?: string
  /** Why the button is disabled. */
  readonly disabledBecause?: string | undefined
  /** The id of the dialog to open. */
  readonly opens?: string
}

/** A button. Use one primary button per page. */
export function Button({ type = 'submit', name, value, disabledBecause, opens, ...look }: ButtonProps) {
  const isDisabled = disabledBecause !== undefined
  return (
    <button
      id={look.id}
      type={isDisabled || opens !== undefined ? 'button' : type}
      class={classOf(look)}
      name={name}
      value={value}
      title={disabledBecause ?? look.label}
      aria-label={look.label}
      aria-disabled={isDisabled ? 'true' : undefined}
      aria-keyshortcuts={look.shortcut}
      data-key={look.shortcut}
      {...(opens === undefined ? {} : { command: 'show-modal', commandfor: opens })}
    >
      {look.icon && <Icon name={look.icon} />}
      {look.children}
    </button>
  )
}

interface LinkButtonProps extends Look {
  readonly href: string
  readonly external?: boolean
}

/** A link styled as a button. */
export function LinkButton({ href, external = false, ...look }: LinkButtonProps) {
  return (
    <a
      id={look.id}
      href={href}
      class={classOf(look)}
      title={look.label}
      aria-label={look.label}
      aria-keyshortcuts={look.shortcut}
      data-key={look.shortcut}
      rel={external ? 'noreferrer' : undefined}
    >
      {look.icon && <Icon name={look.icon} />}
      {look.children}
    </a>
  )
}

/** A button that performs one action: a form without fields. */
export function ActionButton({
  action,
  fields = {},
  ...button
}: ButtonProps & { readonly action: string; readonly fields?: Readonly<Record<string, string>> }) {
  return (
    <form method="post" action={action} class="above">
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Button {...button} />
    </form>
  )
}
