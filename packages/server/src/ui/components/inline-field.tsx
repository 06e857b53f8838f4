import type { Child } from 'hono/jsx'
import { Button } from './button.tsx'
import { type Option, Options, Suggestions } from './form.tsx'

interface InlineField {
  readonly id: string
  readonly name: string
  /** The accessible name, if no label refers to the control. */
  readonly label?: string
  readonly value: string
  /** The URL that changes are sent to. */
  readonly action: string
  /** The version of the edited record, so that concurrent changes are detected. */
  readonly version: string | undefined
}

/** A select that saves on change. */
export const InlineSelect = ({
  options,
  mark,
  ...field
}: InlineField & { options: readonly Option[]; mark?: Child }) => (
  <Saved {...field}>
    {mark}
    <select class="select" id={field.id} name={field.name} aria-label={field.label}>
      <Options options={options} value={field.value} />
    </select>
  </Saved>
)

/** A date input that saves on change. */
export const InlineDay = (field: InlineField) => (
  <Saved {...field}>
    <input
      class={field.value === '' ? 'input quiet' : 'input'}
      type="date"
      id={field.id}
      name={field.name}
      value={field.value}
    />
  </Saved>
)

interface InlineTextField extends InlineField {
  readonly placeholder: string
  readonly suggestions: readonly string[]
}

/** A text input that saves on change. It offers suggestions, and accepts other values. */
export const InlineText = ({ id, name, value, placeholder, suggestions, ...form }: InlineTextField) => (
  <Saved {...form}>
    <input
      class={value === '' ? 'input quiet' : 'input'}
      id={id}
      name={name}
      value={value}
      dir="auto"
      placeholder={placeholder}
      autocomplete="off"
      list={`${id}-suggestions`}
    />
    <Suggestions id={`${id}-suggestions`} values={suggestions} />
  </Saved>
)

/** A form with one control, which a script submits on change. Without JavaScript, it has a button. */
function Saved({ action, version, children }: Pick<InlineField, 'action' | 'version'> & { readonly children: Child }) {
  return (
    <form method="post" action={action} class="inline-field" data-save>
      {version !== undefined && <input type="hidden" name="version" value={version} />}
      {children}
      <noscript>
        <Button small>Save</Button>
      </noscript>
    </form>
  )
}
