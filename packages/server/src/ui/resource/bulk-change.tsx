import { validation } from '../../core/errors.ts'
import { nextSlice } from '../../core/next-turn.ts'
import { Banner } from '../components/notice.tsx'
import { pluralize } from '../format.ts'
import { refusedForm, sentenceWithLabel, urlWith } from '../forms.ts'
import { type Fields, type PageResult, redirect, type WorkspacePage } from '../page-types.ts'
import { ifVersion } from '../versions.ts'
import { bulkFields, givenText } from './bulk-bar.tsx'
import { listPage } from './list-page.tsx'
import { listPageValues } from './list-query.ts'
import { type AnyRecord, type AnyResource, pathOf } from './resource.ts'
import { type ChangedRecord, isVersion, parseUndoState, toUndoState } from './undo-state.ts'

const maxSelected = 100
const maxShownRefusals = 10

/** Updates each selected record on its own, with its own checks and audit entry. Refused ones stay selected. */
export async function changeSelected(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  const fields = bulkFields(resource).filter(({ name }) => givenText(page.form, name) !== '')
  const ids = [...new Set(page.form.list('id').map(Number))]
  if (ids.length > maxSelected)
    throw validation({ id: [`Nothing was changed: select at most ${maxSelected} rows at once.`] })
  if (ids.length === 0 || fields.length === 0)
    return listPage(resource, page, {
      status: 422,
      selected: ids,
      banner: <Banner tone="bad">Nothing was changed: select rows and a change.</Banner>,
    })
  const results = await oneByOne(ids, (id) =>
    changeOne(resource, page, { id, toPatch: (stored) => toPatch(page.form, fields, stored) }),
  )
  return report(resource, page, { results })
}

const fieldNames = new Intl.ListFormat('en')

/** Takes a change back, except for records that have changed since. */
export async function undoChange(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  const records = parseUndoState(page.query.text('undo')).slice(0, maxSelected)
  const names = new Set(resource.list.bulk)
  const results = await oneByOne(records, (record) =>
    changeOne(resource, page, {
      id: record.id,
      refusalOf: (etag) => (isVersion(etag, record) ? undefined : 'It has changed since.'),
      toPatch: (stored) =>
        earlierValues(
          stored,
          Object.entries(record.before).filter(([name]) => names.has(name)),
        ),
    }),
  )
  const given = new Set(records.flatMap(({ before }) => Object.keys(before)))
  const restored = bulkFields(resource).filter(({ name }) => given.has(name))
  return report(resource, page, { results, restored: fieldNames.format(restored.map(({ label }) => label)) })
}

const earlierValues = (stored: AnyRecord, before: Patch): Patch =>
  before.map(([name, value]) => {
    const now = stored[name]
    return [name, Array.isArray(now) && Array.isArray(value) ? now.filter((entry) => !value.includes(entry)) : value]
  })

const listUrl = (resource: AnyResource, page: WorkspacePage) =>
  urlWith(page.link(pathOf(resource)), listPageValues(resource, page.query))

async function oneByOne<Item>(items: readonly Item[], change: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    await nextSlice()
    results.push(await change(item))
  }
  return results
}

interface Refusal {
  readonly id: number
  readonly title: string
  readonly message: string
}

type Result = ChangedRecord | Refusal

interface Report {
  readonly results: readonly Result[]
  /** The fields that were changed back. What rules or others did because of the change stays. */
  readonly restored?: string
}

function report(resource: AnyResource, page: WorkspacePage, { results, restored }: Report) {
  const refusals = results.filter((result) => 'message' in result)
  const changed = results.filter((result) => 'etag' in result)
  const records = pluralize(changed.length, resource.noun)
  const sentence = restored === undefined ? `${records} changed` : `${restored} of ${records} changed back`
  if (refusals.length > 0) return refusalPage(resource, page, { sentence, refusals })
  const undo = restored === undefined ? toUndoState(changed) : undefined
  const address = page.link(`${pathOf(resource)}/bulk/undo`)
  return redirect(
    listUrl(resource, page),
    sentence,
    undo && urlWith(address, { ...listPageValues(resource, page.query), undo }),
  )
}

interface Refused {
  readonly sentence: string
  readonly refusals: readonly Refusal[]
}

const refusalPage = (resource: AnyResource, page: WorkspacePage, { sentence, refusals }: Refused) =>
  listPage(resource, page, {
    status: 409,
    selected: refusals.map(({ id }) => id),
    banner: (
      <Banner tone="bad">
        <strong>
          {sentence}, {refusals.length} refused
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

type Patch = readonly (readonly [name: string, value: unknown])[]

const toPatch = (form: Fields, fields: ReturnType<typeof bulkFields>, record: AnyRecord): Patch =>
  fields.map(({ name, none, read }) => {
    const text = givenText(form, name)
    const stored = record[name]
    if (Array.isArray(stored)) return [name, [...new Set([...stored, ...[read?.(text) ?? text].flat()])]]
    return [name, none !== undefined && text === 'none' ? null : (read?.(text) ?? text)]
  })

interface Change {
  readonly id: number
  toPatch(stored: AnyRecord): Patch
  refusalOf?(etag: string | undefined): string | undefined
}

async function changeOne(resource: AnyResource, page: WorkspacePage, { id, ...change }: Change): Promise<Result> {
  const api = resource.api(page.admin)
  const ref = { workspace: page.workspace.id, id }
  const messageOf = (error: Error) => reasonOf(resource, page, error)
  const found = await api.get(ref).safe()
  if (!found.ok) return { id, title: `#${id}`, message: messageOf(found.error) }
  const title = resource.title(found.data)
  // A list is replaced as a whole, so it must not have changed since it was read.
  const etag = found.meta.headers['etag']
  const refusal = change.refusalOf?.(etag)
  if (refusal !== undefined) return { id, title, message: refusal }
  const patch = change.toPatch(found.data)
  const result = await api.update(ref, Object.fromEntries(patch), ifVersion(etag)).safe()
  if (!result.ok) return { id, title, message: messageOf(result.error) }
  return { id, etag: result.meta.headers['etag'] ?? '', before: getEarlierValues(found.data, patch) }
}

/** The reason of a refusal, with the labels of the fields. */
function reasonOf(resource: AnyResource, page: WorkspacePage, error: Error): string {
  const { message, errors = {} } = page.findRefusal(error) ?? { message: error.message }
  const [problem] = refusedForm(page.form, errors).problems
  const labels = new Map(bulkFields(resource).map(({ name, label }) => [name, label]))
  return problem === undefined ? message : sentenceWithLabel({ labels }, problem)
}

/** The values of these fields; for a list, the entries that it lacks. */
const getEarlierValues = (stored: AnyRecord, patch: Patch) =>
  Object.fromEntries(
    patch.map(([name, value]) => {
      const before = stored[name]
      if (!(Array.isArray(before) && Array.isArray(value))) return [name, before]
      return [name, value.filter((entry) => !before.includes(entry))]
    }),
  )
