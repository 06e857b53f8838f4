import { Button } from '../components/button.tsx'
import { urlWith } from '../forms.ts'
import type { Fields, WorkspacePage } from '../page-types.ts'
import { useView } from '../view-context.ts'
import type { Field, Names } from './fields.tsx'
import { listPageValues } from './list-query.ts'
import { type AnyResource, getField, pathOf } from './resource.ts'

export const bulkFields = (resource: AnyResource) =>
  (resource.list.bulk ?? []).map((name) => ({ ...getField(resource, name), name }))

interface BulkBarProps {
  readonly resource: AnyResource
  readonly page: WorkspacePage
  readonly names: Names
}

/** Changes the selected rows. It is shown while a row is selected, and needs no JavaScript. */
export function BulkBar({ resource, page, names }: BulkBarProps) {
  const { asset } = useView()
  // An instance administrator need not be a member.
  const isMember = page.person.workspaces.some(({ id }) => id === page.workspace.id)
  const owner = bulkFields(resource).find(({ source }) => source === 'members')
  const action = urlWith(page.link(`${pathOf(resource)}/bulk`), listPageValues(resource, page.query))
  return (
    <form class="bulk" id={`${resource.noun}-bulk`} method="post" action={action} aria-label="Change selected rows">
      <strong class="bulk-count" />
      {bulkFields(resource).map((field) => (
        <BulkControl field={field} names={names} given={givenText(page.form, field.name)} />
      ))}
      {/* The first submit button: Enter in a field presses it. */}
      <Button variant="primary">Apply</Button>
      {owner !== undefined && isMember && (
        <Button name={owner.name} value={String(page.person.id)} shortcut="i">
          Assign to me
        </Button>
      )}
      <button type="reset" class="button quiet">
        Clear
      </button>
      <script src={asset('select.js')} defer />
    </form>
  )
}

/** The last value: that of a button follows that of the field with its name. */
export const givenText = (form: Fields, name: string): string => form.list(name).filter(Boolean).at(-1) ?? ''

interface BulkControlProps {
  readonly field: Field<unknown> & { readonly name: string }
  readonly names: Names
  /** What a refused form had. */
  readonly given: string
}

function BulkControl({ field, names, given }: BulkControlProps) {
  const { name, label, none, options } = field
  const shortcut = label.charAt(0).toLowerCase()
  const keys = { 'data-key': shortcut, 'aria-keyshortcuts': shortcut }
  if (options === undefined)
    return (
      <input
        class="input"
        name={name}
        value={given}
        aria-label={`Add ${label.toLowerCase()}`}
        placeholder={`Add ${label.toLowerCase()}`}
        {...keys}
      />
    )
  return (
    <select class="select" name={name} aria-label={label} {...keys}>
      <option value="">{label}</option>
      {none !== undefined && (
        <option value="none" selected={given === 'none'}>
          {none}
        </option>
      )}
      {options(names).map((option) => (
        <option
          dir="auto"
          value={option.value}
          disabled={option.isDisabled === true}
          selected={String(option.value) === given}
        >
          {option.label}
        </option>
      ))}
    </select>
  )
}
