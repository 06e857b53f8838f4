import { csvHead, csvLine } from '../csv.ts'
import type { PageResult, WorkspacePage } from '../page-types.ts'
import { createNameFinder, toText } from './fields.tsx'
import { listQuery } from './list-query.ts'
import type { AnyRecord, AnyResource } from './resource.ts'

/** All records that match the filters, in the order of the list. */
export function downloadCsv(resource: AnyResource, page: WorkspacePage): PageResult {
  return { kind: 'download', name: `${resource.noun}s.csv`, type: 'text/csv', content: toCsv(resource, page) }
}

const pageSize = 200

async function* toCsv(resource: AnyResource, page: WorkspacePage): AsyncIterable<string> {
  const query = { ...listQuery(resource, page.query), limit: pageSize }
  const nameFinder = createNameFinder(page, resource.fields)
  let columns: ReturnType<typeof columnsOf> | undefined
  for await (const rows of loadPages(resource, page, query)) {
    for (const row of rows) {
      if (columns === undefined) {
        columns = columnsOf(resource, row)
        yield toHead(columns)
      }
      const names = await nameFinder(row)
      yield csvLine(columns.map(([name, field]) => toText(field, row[name], { page, names, row })))
    }
    // A page without matches is a step, too.
    yield ''
  }
  if (columns === undefined) yield toHead(columnsOf(resource, undefined))
}

async function* loadPages(resource: AnyResource, page: WorkspacePage, query: Record<string, unknown>) {
  const { list } = resource.api(page.admin)
  for (let cursor: object | undefined = {}; cursor !== undefined; ) {
    const { data, next_before, next_cursor } = await list({ workspace: page.workspace.id }, { ...query, ...cursor })
    yield data
    if (next_cursor) cursor = { cursor: next_cursor }
    else cursor = next_before === null ? undefined : { before: next_before }
  }
}

const toHead = (columns: ReturnType<typeof columnsOf>) => csvHead(columns.map(([, { label }]) => label))

/** Every field of the rows, once: a record is left out if its id is a column, which shows its name. */
function columnsOf({ fields }: AnyResource, row: AnyRecord | undefined) {
  const isGiven = (name: string | undefined) =>
    name !== undefined && name in fields && (row === undefined || name in row)
  return Object.entries(fields).filter(([name, { idField }]) => isGiven(name) && !isGiven(idField))
}
