import type { Child } from 'hono/jsx'
import type { FormState } from '../forms.ts'
import { Button } from './button.tsx'
import { FieldError, type Option, Options, StoredValue, Suggestions } from './form.tsx'

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
  /** The id of the form that it is a part of without JavaScript, together with other controls. */
  readonly form?: string | undefined
  /** The refused input of this field. */
  readonly refused?: FormState | undefined
}

/** The value, or the refused one. */
const inputOf = ({ name, value, refused }: InlineField) => refused?.text(name) ?? value

/** A refused control has the focus, unless others have errors, and its error. */
const refusalProps = ({ name, refused }: InlineField) =>
  refused !== undefined && {
    autofocus: refused.problems.length === 0 || refused.error(name) !== undefined,
    ...(refused.error(name) === undefined ? {} : { 'aria-invalid': 'true' as const }),
    'aria-describedby': `stored-${name} error-${name}`,
  }

/** A select that saves on change. */
export const InlineSelect = ({
  options,
  mark,
  ...field
}: InlineField & { options: readonly Option[]; mark?: Child }) => (
  <Saved {...field} toWord={(wanted) => options.find(({ value }) => value === wanted)?.label ?? wanted}>
    {mark}
    <select
      class="select"
      id={field.id}
      name={field.name}
      form={field.form}
      aria-label={field.label}
      {...refusalProps(field)}
    >
      <Options options={options} value={inputOf(field)} />
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
      form={field.form}
      value={inputOf(field)}
      {...refusalProps(field)}
    />
  </Saved>
)

interface InlineTextField extends InlineField {
  readonly placeholder: string
  readonly suggestions: readonly string[]
}

/** A text input that saves on change. It offers suggestions, and accepts other values. */
export const InlineText = ({ placeholder, suggestions, ...field }: InlineTextField) => (
  <Saved {...field}>
    <input
      class={field.value === '' ? 'input quiet' : 'input'}
      id={field.id}
      name={field.name}
      form={field.form}
      value={inputOf(field)}
      dir="auto"
      placeholder={placeholder}
      autocomplete="off"
      list={`${field.id}-suggestions`}
      {...refusalProps(field)}
    />
    <Suggestions id={`${field.id}-suggestions`} values={suggestions} />
  </Saved>
)

interface SavedProps extends InlineField {
  /** Formats a stored value. */
  readonly toWord?: (value: string) => string
  readonly children: Child
}

/**
 * A form with one control, which a script submits on change. Without JavaScript, and after a refusal, it has a button. After a
 * refusal it keeps the input, and shows what is stored or wrong.
 */
function Saved({ action, name, version, form, refused, toWord = (value) => value, children }: SavedProps) {
  const stored = refused?.stored(name)
  const button = (
    <Button small form={form} action={action}>
      Save
    </Button>
  )
  return (
    <form
      method="post"
      action={action}
      class="inline-field"
      data-save
      data-refused={refused === undefined ? undefined : true}
    >
      {version !== undefined && <input type="hidden" name="version" value={version} />}
      {children}
      {refused === undefined ? (
        <noscript>{button}</noscript>
      ) : (
        <>
          {button}
          <StoredValue name={name} value={stored === undefined ? undefined : toWord(stored)} />
          <FieldError name={name} state={refused} />
        </>
      )}
    </form>
  )
}
