import { csvHead, csvLine } from '../csv.ts'
import type { PageResult, WorkspacePage } from '../page-types.ts'
import { toText } from './fields.tsx'
import { listQuery } from './list-query.ts'
import { createNameFinder } from './names.ts'
import type { AnyResource } from './resource.ts'

/** All records that match the filters, in the order of the list. */
export function downloadCsv(resource: AnyResource, page: WorkspacePage): PageResult {
  return { kind: 'download', name: `${resource.noun}s.csv`, type: 'text/csv', content: toCsv(resource, page) }
}

const pageSize = 200

async function* toCsv(resource: AnyResource, page: WorkspacePage): AsyncIterable<string> {
  const query = { ...listQuery(resource, page.query), limit: pageSize }
  const findNames = createNameFinder(resource, page)
  const columns = columnsOf(resource)
  let isBegun = false
  for await (const rows of loadPages(resource, page, query)) {
    // The first rows show that the API accepts the query. A page without matches is a step, too.
    yield isBegun ? '' : csvHead(columns.map(([, { label }]) => label))
    isBegun = true
    for (const row of rows) {
      const names = await findNames(row)
      yield csvLine(
        columns.map(([name, field]) => toText(field, (field.ofRow ?? (() => row[name]))(row), { page, names, row })),
      )
    }
  }
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

/** Every field of the rows, once: a record is left out if its id is a column, which shows its name. */
function columnsOf({ fields, list: { row } }: AnyResource) {
  const isGiven = (name: string) => name in fields && (name in row.shape || fields[name]?.ofRow !== undefined)
  return Object.entries(fields).filter(([name, { idField = '' }]) => isGiven(name) && !isGiven(idField))
}
