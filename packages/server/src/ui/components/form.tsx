import type { Child } from 'hono/jsx'
import { words } from '../format.ts'
import { type FormState, firstInvalid, sentenceWithLabel } from '../forms.ts'
import { useView } from '../view-context.ts'
import { FormKey } from './form-key.tsx'
import { Icon } from './icon.tsx'
import { Banner } from './notice.tsx'

interface FormProps {
  readonly id?: string
  readonly action: string
  readonly state: FormState
  /** The version of the edited record, so that concurrent changes are detected. */
  readonly version?: string | undefined
  /** The address to which the script reports that the reader is in a field, so that others see it. */
  readonly editingUrl?: string | undefined
  readonly children: Child
}

/** A form that works without JavaScript. After a refusal it keeps the input and shows the errors. */
export function Form({ id, action, state, version, editingUrl, children }: FormProps) {
  // Only after a 412 has the reader seen what others have changed.
  const seen = state.status === 412 ? version : state.text('version') || version
  // Fields register their labels when rendered. The error summary and the focus on the first error need the labels.
  if (state.problems.length > 0) String(children)
  return (
    <form
      id={id}
      method="post"
      action={action}
      class="form"
      novalidate
      data-refused={state.status === 200 ? undefined : true}
      data-editing={editingUrl}
    >
      <Problems state={state} />
      {version !== undefined && <input type="hidden" name="version" value={seen} />}
      <FormKey sent={state.status === 200 ? state.text('form_key') : ''} />
      {children}
    </form>
  )
}

/** For several errors, a summary links to each field. A single error is shown only at its field, if the form has the field. */
function Problems({ state }: { readonly state: FormState }) {
  const { refusal, labels } = state
  const problems = listProblems(state)
  if (refusal !== undefined) return <Banner tone="warn">{refusal}</Banner>
  const [first] = problems
  if (first === undefined) return null
  if (problems.length === 1) return labels.has(first.field) ? null : <Banner tone="bad">{first.sentence}</Banner>
  return (
    <Banner tone="bad">
      <strong>{problems.length} fields have errors</strong>
      <ul>
        {problems.map((problem) => (
          <li>
            {labels.has(problem.field) ? (
              <a href={`#field-${problem.field}`}>{sentenceWithLabel(state, problem)}</a>
            ) : (
              problem.sentence
            )}
          </li>
        ))}
      </ul>
    </Banner>
  )
}

/** The first error of each field, in the order of the form. */
function listProblems({ problems, labels }: FormState) {
  const order = [...labels.keys()]
  return problems
    .filter(({ field }, index) => problems.findIndex((each) => each.field === field) === index)
    .toSorted((a, b) => order.indexOf(a.field) - order.indexOf(b.field))
}

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly state: FormState
  readonly hint?: Child | undefined
  readonly optional?: boolean
  /** Whether it has the focus at first, unless another field is invalid. */
  readonly autofocus?: boolean
  /** Overrides the control's id, if another form on the page has a field with this name. */
  readonly id?: string
}

interface FieldShellProps extends FieldProps {
  /** Formats stored values for display; defaults to the value itself. */
  readonly toWord?: (value: string) => string
  readonly children: Child
}

const orNothing = (value: string) => value || 'nothing'

/** What someone else has stored in a field that is being edited. */
export function StoredValue({ name, value }: { readonly name: string; readonly value: string | undefined }) {
  if (value === undefined) return null
  return (
    <p class="stored" id={`stored-${name}`}>
      Stored now: <strong dir="auto">{orNothing(value)}</strong>
    </p>
  )
}

function Field({
  name,
  label,
  state,
  hint,
  optional = false,
  id = `field-${name}`,
  toWord = (value) => value,
  children,
}: FieldShellProps) {
  const stored = state.stored(name)
  state.labels.set(name, label)
  return (
    <div class="field">
      <label for={id} dir="auto">
        {label}
        {optional && <span class="quiet"> (optional)</span>}
      </label>
      {children}
      <StoredValue name={name} value={stored === undefined ? undefined : toWord(stored)} />
      <FieldError name={name} state={state} />
      {hint !== undefined && (
        <p class="hint" id={`hint-${name}`}>
          {hint}
        </p>
      )}
    </div>
  )
}

export function FieldError({ name, state }: Pick<FieldProps, 'name' | 'state'>) {
  const problem = state.problems.find(({ field }) => field === name)
  if (problem === undefined) return null
  return (
    <p class="field-error" id={`error-${name}`}>
      <Icon name="circle-alert" />
      {sentenceWithLabel(state, problem)}
    </p>
  )
}

type InputProps = Pick<FieldProps, 'name' | 'state' | 'hint' | 'id' | 'autofocus'>

/** Connects an input with its label, hint, and error. The first invalid input gets the focus. */
export function inputProps({ name, state, hint, id = `field-${name}`, autofocus = false }: InputProps) {
  const isWrong = state.error(name) !== undefined
  const describedBy = [
    isWrong && `error-${name}`,
    state.stored(name) !== undefined && `stored-${name}`,
    hint !== undefined && `hint-${name}`,
  ]
    .filter(Boolean)
    .join(' ')
  return {
    id,
    name,
    ...(isWrong ? { 'aria-invalid': 'true' } : {}),
    ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
    ...((firstInvalid(state) ?? (autofocus && name)) === name ? { autofocus: true } : {}),
  }
}

interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'date' | 'datetime-local' | 'number' | 'search'
  readonly autocomplete?: string
  readonly placeholder?: string
  readonly narrow?: boolean
  /** Values that the browser offers. Others are accepted too. */
  readonly suggestions?: readonly string[] | undefined
}

export function TextField({
  type = 'text',
  autocomplete = 'off',
  placeholder,
  narrow,
  suggestions = [],
  ...field
}: TextFieldProps) {
  const listId = `${field.id ?? `field-${field.name}`}-suggestions`
  return (
    <Field {...field}>
      <input
        class={narrow === true ? 'input narrow' : 'input'}
        type={type}
        dir={type === 'text' || type === 'search' ? 'auto' : undefined}
        value={type === 'password' ? undefined : field.state.text(field.name)}
        autocomplete={autocomplete}
        placeholder={placeholder}
        list={suggestions.length > 0 ? listId : undefined}
        {...inputProps(field)}
      />
      <Suggestions id={listId} values={suggestions} />
    </Field>
  )
}

/** The values that a text field offers. */
export function Suggestions({ id, values }: { readonly id: string; readonly values: readonly string[] }) {
  if (values.length === 0) return null
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option value={value} />
      ))}
    </datalist>
  )
}

interface TextAreaProps extends FieldProps {
  readonly rows?: number
  readonly mono?: boolean
  /** The id of the list with the names that @ completes. */
  readonly mentions?: string
}

export function TextArea({ rows = 6, mono = false, mentions, ...field }: TextAreaProps) {
  const { asset } = useView()
  return (
    <Field {...field}>
      <textarea
        class={mono ? 'textarea mono' : 'textarea'}
        dir="auto"
        rows={rows}
        data-mentions={mentions}
        data-script={mentions === undefined ? undefined : asset('mentions.js')}
        {...inputProps(field)}
      >
        {field.state.text(field.name)}
      </textarea>
    </Field>
  )
}

export interface Option {
  readonly value: string
  readonly label: string
  readonly hint?: string
  readonly isDisabled?: boolean
}

/** A select. A current value that is missing from the options is added, so that saving does not change it. */
export function SelectField({
  options,
  narrow = true,
  ...field
}: FieldProps & { options: readonly Option[]; narrow?: boolean }) {
  const toWord = (wanted: string) => options.find(({ value }) => value === wanted)?.label ?? wanted
  return (
    <Field {...field} toWord={toWord}>
      <select class={narrow ? 'select narrow' : 'select'} {...inputProps(field)}>
        <Options options={options} value={field.state.text(field.name)} />
      </select>
    </Field>
  )
}

/** The options of a select. */
export function Options({ options, value }: { readonly options: readonly Option[]; readonly value: string }) {
  const isKnown = value === '' || options.some((option) => option.value === value)
  const offered = isKnown ? options : [...options, { value, label: value }]
  return (
    <>
      {offered.map((option) => (
        <option dir="auto" value={option.value} selected={option.value === value} disabled={option.isDisabled === true}>
          {option.label}
        </option>
      ))}
    </>
  )
}

/** Checkboxes. */
export function Choices({
  options,
  type = 'checkbox',
  ...field
}: FieldProps & { options: readonly Option[]; type?: 'checkbox' | 'radio' }) {
  const chosen = field.state.list(field.name)
  field.state.labels.set(field.name, field.label)
  const { id, ...props } = inputProps(field)
  return (
    <fieldset class="field" id={id} tabindex={-1} aria-describedby={props['aria-describedby']}>
      <legend>
        {field.label}
        {field.optional === true && <span class="quiet"> (optional)</span>}
      </legend>
      <FieldError name={field.name} state={field.state} />
      {field.hint !== undefined && (
        <p class="hint" id={`hint-${field.name}`}>
          {field.hint}
        </p>
      )}
      <div class="choices">
        {options.map(({ value, label, hint }, index) => (
          <label class="choice">
            <input
              type={type}
              name={field.name}
              value={value}
              checked={chosen.includes(value)}
              {...(index === 0 && props.autofocus === true ? { autofocus: true } : {})}
            />
            <span>
              {label}
              {hint !== undefined && <span class="hint">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export function FormFoot({ children }: { readonly children: Child }) {
  return <div class="form-foot">{children}</div>
}

/** Options for a closed list of values. */
export const wordOptions = (values: readonly string[]): Option[] =>
  values.map((value) => ({ value, label: words(value) }))

interface Named {
  readonly id: number
  readonly name: string
}

interface NamedPerson extends Named {
  readonly email?: string
  readonly disabled_at?: string | null
}

/** Names by id. Equal ones are told apart by the e-mail addresses of people, or by ids. */
export function distinctNames(records: readonly NamedPerson[]): ReadonlyMap<number, string> {
  const alike = Map.groupBy(records, ({ name }) => name.toLowerCase())
  const isShared = (name: string) => (alike.get(name.toLowerCase())?.length ?? 0) > 1
  return new Map(records.map(({ id, name, email }) => [id, isShared(name) ? `${name} (${email ?? id})` : name]))
}

/** Options for named records. Disabled people are marked. `empty` labels the option for none. */
export function namedOptions(named: readonly NamedPerson[], empty?: string): Option[] {
  const names = distinctNames(named)
  const options = named.map(({ id, disabled_at }) => ({
    value: String(id),
    label: `${names.get(id)}${disabled_at ? ' (disabled)' : ''}`,
  }))
  return empty === undefined ? options : [{ value: '', label: empty }, ...options]
}

/** Names by id. */
export const namesOf = (named: readonly Named[]): ReadonlyMap<number | null, string> =>
  new Map(named.map(({ id, name }) => [id, name]))
