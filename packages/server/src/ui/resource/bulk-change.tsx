import { validation } from '../../core/errors.ts'
import { nextSlice } from '../../core/next-turn.ts'
import { Banner } from '../components/notice.tsx'
import { pluralize } from '../format.ts'
import { urlWith } from '../forms.ts'
import { type Fields, type PageResult, redirect, type WorkspacePage } from '../page-types.ts'
import { bulkFields } from './bulk-bar.tsx'
import { listPage } from './list-page.tsx'
import { listValues } from './list-query.ts'
import { type AnyResource, pathOf } from './resource.ts'

const maxSelected = 100
const maxShownRefusals = 10

/** Updates each selected record on its own, with its own checks and audit entry. Refused ones stay selected. */
export async function changeSelected(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  const fields = bulkFields(resource).filter(({ name }) => givenText(page.form, name) !== '')
  const ids = [...new Set(page.form.list('id').map(Number))]
  const list = urlWith(page.link(pathOf(resource)), listValues(resource, page.query))
  if (ids.length > maxSelected)
    throw validation({ id: [`Nothing was changed: select at most ${maxSelected} rows at once.`] })
  if (ids.length === 0 || fields.length === 0) return redirect(list, 'Select rows and a change')
  const refusals: Refusal[] = []
  for (const id of ids) {
    await nextSlice()
    const refusal = await changeOne(resource, page, { id, fields })
    if (refusal !== undefined) refusals.push(refusal)
  }
  const changed = `${pluralize(ids.length - refusals.length, resource.noun)} changed`
  if (refusals.length === 0) return redirect(list, changed)
  return listPage(resource, page, {
    status: 409,
    selected: refusals.map(({ id }) => id),
    banner: (
      <Banner tone="bad">
        <strong>
          {changed}, {refusals.length} refused
        </strong>
        <ul>
          {refusals.slice(0, maxShownRefusals).map(({ title, message }) => (
            <li>
              <bdi>{title}</bdi>: {message}
            </li>
          ))}
          {refusals.length > maxShownRefusals && <li>And {refusals.length - maxShownRefusals} more</li>}
        </ul>
      </Banner>
    ),
  })
}

/** The last value: that of a button follows that of the field with its name. */
const givenText = (form: Fields, name: string): string => form.list(name).filter(Boolean).at(-1) ?? ''

interface Refusal {
  readonly id: number
  readonly title: string
  readonly message: string
}

async function changeOne(
  resource: AnyResource,
  page: WorkspacePage,
  { id, fields }: { readonly id: number; readonly fields: ReturnType<typeof bulkFields> },
): Promise<Refusal | undefined> {
  const api = resource.api(page.admin)
  const ref = { workspace: page.workspace.id, id }
  const messageOf = (error: Error) => (page.refusalOf(error) ?? error).message
  const found = await api.get(ref).safe()
  if (!found.ok) return { id, title: `#${id}`, message: messageOf(found.error) }
  const patch = fields.map(({ name, none, read }) => {
    const text = givenText(page.form, name)
    const stored = found.data[name]
    if (Array.isArray(stored)) return [name, [...new Set([...stored, ...[read?.(text) ?? text].flat()])]]
    return [name, none !== undefined && text === 'none' ? null : (read?.(text) ?? text)]
  })
  // A list is replaced as a whole, so it must not have changed since it was read.
  const etag = found.meta.headers['etag']
  const result = await api
    .update(ref, Object.fromEntries(patch), etag === undefined ? {} : { headers: { 'if-match': etag } })
    .safe()
  if (result.ok) return undefined
  return { id, title: resource.title(found.data), message: messageOf(result.error) }
}
