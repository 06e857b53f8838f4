import type { Child } from 'hono/jsx'
import type { IconName } from '../icon-names.ts'
import { FormKey } from './form-key.tsx'
import { Icon } from './icon.tsx'

interface ButtonStyle {
  readonly variant?: 'primary' | 'quiet' | 'danger' | undefined
  readonly small?: boolean
  readonly icon?: IconName
  readonly children?: Child
  /** The accessible name of an icon-only button. */
  readonly label?: string
  /** Keyboard shortcut for the same action. */
  readonly shortcut?: string
  readonly id?: string
}

const classOf = ({ variant, small, children }: ButtonStyle) =>
  ['button', variant, small === true && 'small', children === undefined && 'icon-only'].filter(Boolean).join(' ')

export interface ButtonProps extends ButtonStyle {
  readonly type?: 'submit' | 'button'
  readonly name?: string
  readonly value?: string
  /** The id of the form that it submits to `action`, instead of the form around it. */
  readonly form?: string | undefined
  readonly action?: string
  /** Why the button is disabled. */
  readonly disabledBecause?: string | undefined
  /** The id of the dialog to open. */
  readonly opens?: string
}

/** A button. Use one primary button per page. */
export function Button({ type = 'submit', name, value, form, action, disabledBecause, opens, ...style }: ButtonProps) {
  const isDisabled = disabledBecause !== undefined
  return (
    <button
      id={style.id}
      type={isDisabled || opens !== undefined ? 'button' : type}
      class={classOf(style)}
      name={name}
      value={value}
      form={form}
      formaction={action}
      title={disabledBecause ?? style.label}
      aria-label={style.label}
      aria-disabled={isDisabled ? 'true' : undefined}
      aria-keyshortcuts={style.shortcut}
      data-key={style.shortcut}
      {...(opens === undefined ? {} : { command: 'show-modal', commandfor: opens })}
    >
      {style.icon && <Icon name={style.icon} />}
      {style.children}
    </button>
  )
}

interface LinkButtonProps extends ButtonStyle {
  readonly href: string
  readonly external?: boolean
  /** Opens the page in the drawer if JavaScript is enabled. */
  readonly drawer?: boolean
}

/** A link styled as a button. */
export function LinkButton({ href, external = false, drawer = false, ...style }: LinkButtonProps) {
  return (
    <a
      id={style.id}
      href={href}
      class={classOf(style)}
      title={style.label}
      aria-label={style.label}
      aria-keyshortcuts={style.shortcut}
      data-key={style.shortcut}
      rel={external ? 'noreferrer' : undefined}
      {...(drawer ? { 'data-drawer': '' } : {})}
    >
      {style.icon && <Icon name={style.icon} />}
      {style.children}
    </a>
  )
}

interface ActionProps extends ButtonProps {
  readonly action: string
  readonly fields?: Readonly<Record<string, string>>
  /** Whether a second request must not act again. */
  readonly once?: boolean
}

/** A button that performs one action: a form without fields. */
export function ActionButton({ action, fields = {}, once = false, ...button }: ActionProps) {
  return (
    <form method="post" action={action} class="above">
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {once && <FormKey />}
      <Button {...button} />
    </form>
  )
}
