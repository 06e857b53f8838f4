import { Button } from '../components/button.tsx'
import { urlWith } from '../forms.ts'
import type { WorkspacePage } from '../page-types.ts'
import type { Field, Names } from './fields.tsx'
import { listValues } from './list-query.ts'
import { type AnyResource, fieldOf, pathOf } from './resource.ts'

export const bulkFields = (resource: AnyResource) =>
  (resource.list.bulk ?? []).map((name) => ({ ...fieldOf(resource, name), name }))

interface BulkBarProps {
  readonly resource: AnyResource
  readonly page: WorkspacePage
  readonly names: Names
}

/** Changes the selected rows. It is shown while a row is selected, and needs no JavaScript. */
export function BulkBar({ resource, page, names }: BulkBarProps) {
  const action = urlWith(page.link(`${pathOf(resource)}/bulk`), listValues(resource, page.query))
  return (
    <form class="bulk" id={`${resource.noun}-bulk`} method="post" action={action} aria-label="Change selected rows">
      <strong class="bulk-count" />
      {bulkFields(resource).map((field) => (
        <BulkControl field={field} names={names} />
      ))}
      <Button variant="primary">Apply</Button>
      <button type="reset" class="button quiet">
        Clear
      </button>
    </form>
  )
}

function BulkControl({ field, names }: { readonly field: Field<unknown> & { name: string }; readonly names: Names }) {
  const { name, label, none, options } = field
  if (options === undefined)
    return (
      <input
        class="input"
        name={name}
        aria-label={`Add ${label.toLowerCase()}`}
        placeholder={`Add ${label.toLowerCase()}`}
      />
    )
  return (
    <select class="select" name={name} aria-label={label}>
      <option value="">{label}</option>
      {none !== undefined && <option value="none">{none}</option>}
      {options(names).map((option) => (
        <option dir="auto" value={option.value} disabled={option.isDisabled === true}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
