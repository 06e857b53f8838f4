import { SelectField, TextArea, TextField } from '../components/form.tsx'
import { formPage } from '../components/form-page.tsx'
import { words } from '../format.ts'
import { type FormState, idempotency, newForm, sentText, submit, withStoredValues } from '../forms.ts'
import { type PageResult, recordRef, redirect, type WorkspacePage } from '../page-types.ts'
import { ifUnchanged, ifVersion, readVersioned, type Versioned } from '../versions.ts'
import { type Field, loadNames, type Names } from './fields.tsx'
import { recordPath } from './list-query.ts'
import { addStoredName } from './names.ts'
import { type AnyRecord, type AnyResource, crumbsOf, type InputSchema, pathOf, type ResourceBoard } from './resource.ts'

export const newPage = (resource: AnyResource, page: WorkspacePage): Promise<PageResult> =>
  showForm(resource, page, { state: newForm(resource.form.initial?.(page)) })

export async function createRecord(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  const { form, api } = resource
  const input = readInput(fieldsOf(resource, form.create), page)
  const call = api(page.admin).create?.({ workspace: page.workspace.id }, input, idempotency(page.form))
  if (call === undefined) throw new TypeError(`The API creates no ${resource.noun}.`)
  const result = await submit(page, call)
  if (!result.ok) return showForm(resource, page, { state: result.form })
  const { created = 'is created' } = form
  if (typeof created === 'function') return created(page, result.data as never)
  return saved(resource, page, { record: result.data, what: created })
}

export async function editPage(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  const edited = await loadEdited(resource, page)
  return showForm(resource, page, { state: newForm(toValues(resource, edited.data)), edited })
}

/** Updates the fields that the form contains: all of them or some. */
export async function updateRecord(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  const { change, inline } = resource.form
  const sent = fieldsOf(resource, change).filter(({ name }) => page.form.has(name))
  const isInline = inline !== undefined && sent.every(({ name }) => inline.names.includes(name))
  const fields = await withoutStoredTexts(sent, resource, page)
  const call = resource.api(page.admin).update(recordRef(page), readInput(fields, page), ifUnchanged(page.form))
  const result = await submit(page, call)
  if (result.ok) {
    const shown = isInline ? await inline.saved(page) : undefined
    return shown ?? saved(resource, page, { record: result.data, what: 'is saved' })
  }
  const edited = await loadEdited(resource, page)
  const state = withStoredValues(page.form, result.form, toValues(resource, edited.data))
  return isInline ? inline.refused(page, state) : showForm(resource, page, { state, edited })
}

/** Some values lose a part of them in a form, such as line breaks. An unchanged text must not replace the value. */
const losesParts = ({ toText, control }: FormField) => toText !== undefined || control === 'prose' || control === 'text'

async function withoutStoredTexts(fields: readonly FormField[], resource: AnyResource, page: WorkspacePage) {
  if (!fields.some(losesParts)) return fields
  const isTyped = await compareTexts(resource, page)
  return fields.filter((field) => !losesParts(field) || isTyped(field.name))
}

/** Tells whether the form has another text for a field than the stored one. */
async function compareTexts(resource: AnyResource, page: WorkspacePage) {
  const { data: record } = await loadEdited(resource, page)
  const stored = newForm(toValues(resource, record))
  return (name: string) =>
    page.form.has(name) &&
    page.form.text(name) !== sentText(stored.text(name), resource.fields[name]?.control === 'prose')
}

/** The fields with controls on the page of the record that were changed there, but sent for something else. */
export async function findTyped(resource: AnyResource, page: WorkspacePage): Promise<ReadonlyMap<string, string>> {
  const sent = resource.form.inline?.names.filter((name) => page.form.has(name)) ?? []
  if (sent.length === 0) return new Map()
  return new Map(sent.filter(await compareTexts(resource, page)).map((name) => [name, page.form.text(name)]))
}

/** Moves a record to another column, unless someone else has moved it from the column that the reader saw. */
export async function moveRecord(
  resource: AnyResource,
  page: WorkspacePage,
  { by, verb }: ResourceBoard<AnyRecord, string>,
): Promise<PageResult> {
  const value = page.form.text(by)
  const seen = page.form.text('was_in')
  const found = seen === '' ? undefined : await loadEdited(resource, page)
  const place = String(found?.data[by])
  if (found !== undefined && ![seen, value].includes(place))
    return saved(resource, page, {
      record: found.data,
      what: `was moved to ${words(place).toLowerCase()} by someone else. Nothing was changed.`,
    })
  const record = await resource.api(page.admin).update(recordRef(page), { [by]: value }, ifVersion(found?.version))
  return saved(resource, page, { record, what: `${verb} ${words(value).toLowerCase()}` })
}

interface FormField extends Field<unknown> {
  readonly name: string
  readonly optional: boolean
  readonly control: NonNullable<Field<unknown>['control']>
}

/** The form fields: those described that the contract accepts. Nullable fields may be empty. */
const fieldsOf = ({ fields }: AnyResource, { shape }: InputSchema = { shape: {} }): readonly FormField[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const schema = shape[name]
    const { control } = field
    if (schema === undefined || control === undefined) return []
    return [{ ...field, name, control, optional: schema.safeParse(null).success }]
  })

const readInput = (fields: readonly FormField[], { form }: WorkspacePage) =>
  Object.fromEntries(
    fields.map(({ name, optional, none, control, read }) => {
      const text = form.text(name)
      if (read !== undefined) return [name, read(text)]
      const empty = control === 'select' && none === undefined ? undefined : null
      return [name, optional ? text || empty : text]
    }),
  )

const toValues = (resource: AnyResource, record: AnyRecord) =>
  Object.fromEntries(
    fieldsOf(resource, resource.form.change).map(({ name, toText }) => [name, toText?.(record[name]) ?? record[name]]),
  )

const loadEdited = (resource: AnyResource, page: WorkspacePage) =>
  readVersioned(resource.api(page.admin).get(recordRef(page)))

/** Redirects to the record or, from a board or list, back there. */
function saved(
  resource: AnyResource,
  page: WorkspacePage,
  { record, what }: { readonly record: { readonly id: number }; readonly what: string },
) {
  const to = page.query.has('back') ? page.returnPath : recordPath(resource, page, record.id)
  return redirect(to, `${resource.title(record as AnyRecord)} ${what}`)
}

async function showForm(
  resource: AnyResource,
  page: WorkspacePage,
  { state, edited }: { readonly state: FormState; readonly edited?: Versioned<AnyRecord> },
): Promise<PageResult> {
  const { noun, form } = resource
  const { verb = 'Edit' } = form
  const list = page.link(pathOf(resource))
  const own = edited === undefined ? list : recordPath(resource, page, edited.data.id)
  const heading = edited === undefined ? `New ${noun}` : (form.heading?.(edited.data) ?? `${verb} ${noun}`)
  const fields = fieldsOf(resource, edited === undefined ? form.create : form.change)
  const offered = await loadNames(page, fields)
  const names = edited === undefined ? offered : await addStoredNames(resource, page, { offered, record: edited.data })
  const editors = edited && (await form.editors?.(page, edited.data))
  const suggestions = await Promise.all(fields.map((field) => field.suggestions?.(page)))
  return formPage({
    title: edited === undefined ? heading : verb,
    heading,
    intro: edited === undefined ? form.intro : editors?.line,
    live: editors !== undefined,
    editingUrl: editors?.reportTo,
    crumbs: [
      ...crumbsOf(resource, page),
      ...(edited === undefined ? [] : [{ label: resource.title(edited.data), href: own }]),
    ],
    action: own,
    cancel: own,
    state,
    version: edited?.version,
    fields: fields.map((field, index) => {
      const autofocus = index === 0 && (edited === undefined || fields.length === 1)
      return <Control field={field} suggestions={suggestions[index]} {...{ page, names, state, autofocus }} />
    }),
    submitLabel: edited === undefined ? `Create ${noun}` : 'Save',
  })
}

interface StoredNames {
  readonly offered: Names
  readonly record: AnyRecord
}

async function addStoredNames(resource: AnyResource, page: WorkspacePage, { offered, record }: StoredNames) {
  let names = offered
  for (const field of Object.keys(resource.fields)) {
    const id = record[field]
    if (typeof id !== 'number') continue
    names = await addStoredName(resource, page, { names, field, id, row: async () => record })
  }
  return names
}

type ControlProps = Readonly<{
  field: FormField
  page: WorkspacePage
  names: Names
  suggestions: readonly string[] | undefined
  state: FormState
  autofocus: boolean
}>

function Control({ field, page, names, suggestions, state, autofocus }: ControlProps) {
  const { name, label, optional, control, none, narrow = false, options, filterOptions = [] } = field
  const hint = typeof field.hint === 'function' ? field.hint(page) : field.hint
  const common = { name, label, state, hint }
  if (control === 'select') {
    const empty = none === undefined ? [] : [{ value: '', label: none }]
    // A value that cannot be chosen, such as the status of a converted lead, stays until another one is.
    const stored = filterOptions.filter(({ value }) => value === state.text(name))
    return <SelectField {...common} options={[...empty, ...(options?.(names) ?? []), ...stored]} />
  }
  if (control === 'prose') return <TextArea {...common} optional={optional} />
  return <TextField {...common} type={control} {...{ narrow, optional, autofocus, suggestions }} />
}
