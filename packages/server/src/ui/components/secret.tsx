import { Button } from './button.tsx'

/** Copies the text of another element; without JavaScript the text can be selected with one click. */
export function CopyButton({ of, label = 'Copy' }: { readonly of: string; readonly label?: string }) {
  return (
    <ui-copy of={of}>
      <Button type="button" icon="copy" small look="quiet" label={label} />
    </ui-copy>
  )
}

/** A secret that is shown this once. */
export function Secret({ id, value, label }: { readonly id: string; readonly value: string; readonly label: string }) {
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <div class="secret">
        <code id={id}>{value}</code>
        <CopyButton of={id} label={`Copy ${label.toLowerCase()}`} />
      </div>
      <p class="hint">It is shown only once. Store it now, for instance in a password manager.</p>
    </fieldset>
  )
}

/** Text to copy, such as an address. */
export function Copyable({
  id,
  value,
  label,
}: {
  readonly id: string
  readonly value: string
  readonly label: string
}) {
  return (
    <div class="secret">
      <code id={id}>{value}</code>
      <CopyButton of={id} label={`Copy ${label}`} />
    </div>
  )
}
