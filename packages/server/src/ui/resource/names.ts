import type { WorkspacePage } from '../page-types.ts'
import { formerName, type Named, type Names, type Source } from './fields.tsx'
import type { AnyRecord, AnyResource } from './resource.ts'

// The names of records that others refer to by their ids.

/** The fields with ids of other records, and the records that have them. */
export type References = Pick<AnyResource, 'fields' | 'api'>

/** A field with the id of another record. */
interface Reference {
  readonly field: string
  readonly id: number
  /** Reads a row that has it, and may also have the name of a former member. */
  row(): Promise<AnyRecord | undefined>
}

/** Finds the names of the records that a row refers to, one row at a time, and each record once. */
export function createNameFinder(resource: References, page: WorkspacePage) {
  const known = new Map<string, Promise<Named>>()
  const find = (source: Source, reference: Reference) => {
    const key = `${source} ${reference.id}`
    const named = known.get(key) ?? findName(resource, page, reference)
    known.set(key, named)
    return named
  }
  const referring = Object.entries(resource.fields).flatMap(([field, { source }]) =>
    source ? [[field, source] as const] : [],
  )
  return async (row: AnyRecord): Promise<Names> => {
    const names: { [Key in Source]?: Named[] } = {}
    for (const [field, source] of referring) {
      const id = row[field]
      if (typeof id !== 'number') continue
      names[source] = [...(names[source] ?? []), await find(source, { field, id, row: async () => row })]
    }
    return names
  }
}

interface NamesAndRows {
  readonly names: Names
  readonly rows: readonly AnyRecord[]
}

/** The names with those of all records that the rows refer to. */
export async function addNames(
  resource: References,
  page: WorkspacePage,
  { names, rows }: NamesAndRows,
): Promise<Names> {
  const { fields } = resource
  const added = Object.entries(names).map(async ([source, known]) => {
    const columns = Object.keys(fields).filter((name) => fields[name]?.source === source)
    const references = rows.flatMap((row) =>
      columns.map((field) => ({ field, id: row[field] as number, row: async () => row })),
    )
    const isMissing = (id: unknown) => typeof id === 'number' && known.every((record) => record.id !== id)
    const missing = new Map(references.filter(({ id }) => isMissing(id)).map((reference) => [reference.id, reference]))
    const found = await Promise.all([...missing.values()].map((reference) => findName(resource, page, reference)))
    return [source, [...known, ...found]]
  })
  return Object.fromEntries(await Promise.all(added))
}

interface NamesAndReference extends Reference {
  readonly names: Names
}

/** The names with that of a record that a select or filter has, but does not offer, such as a former member. */
export async function addStoredName(
  resource: References,
  page: WorkspacePage,
  { names, ...reference }: NamesAndReference,
): Promise<Names> {
  const source = resource.fields[reference.field]?.source
  const known = source && names[source]
  if (source === undefined || known === undefined || known.some(({ id }) => id === reference.id)) return names
  return { ...names, [source]: [...known, await findName(resource, page, reference)] }
}

/** Only members can be gone: records that others refer to cannot be deleted. The id of another may be mistyped. */
async function findName(resource: References, page: WorkspacePage, { field, id, row }: Reference): Promise<Named> {
  const source = resource.fields[field]?.source ?? 'members'
  const found = await page.admin[source].get({ workspace: page.workspace.id, id }).safe()
  if (found.ok) return found.data
  if (found.error.code !== 'not_found') throw found.error
  if (source !== 'members') return { id, name: `#${id}` }
  return { id, name: formerName(await findFormerName(resource, page, { field, row: await row() })) }
}

interface RowWithReference {
  readonly field: string
  readonly row: AnyRecord | undefined
}

/** The name of a former member as the row or, if rows are shorter, the record itself shows it. */
async function findFormerName(resource: References, page: WorkspacePage, { field, row }: RowWithReference) {
  const shownBy = Object.keys(resource.fields).find((name) => resource.fields[name]?.idField === field)
  if (shownBy === undefined || row === undefined) return undefined
  const toName = (record: AnyRecord) => (record[shownBy] as Named | null)?.name // a description with `idField` shows a record
  if (shownBy in row) return toName(row)
  const ref = { workspace: page.workspace.id, id: row.id }
  const found = await resource.api(page.admin).get(ref).safe()
  return found.ok ? toName(found.data) : undefined
}
