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

async function* toCsv(resource: AnyResource, page: WorkspacePage): AsyncIterable<string> {
  const list = resource
    .api(page.admin)
    .list({ workspace: page.workspace.id }, { ...listQuery(resource, page.query), limit: 200 })
  const findNames = createNameFinder(resource, page)
  const columns = columnsOf(resource)
  let isBegun = false
  for await (const { data } of list.pages()) {
    // The first rows show that the API accepts the query. A page without matches is a step, too.
    yield isBegun ? '' : csvHead(columns.map(([, { label }]) => label))
    isBegun = true
    for (const row of data) {
      const names = await findNames(row)
      yield csvLine(
        columns.map(([name, field]) => toText(field, (field.ofRow ?? (() => row[name]))(row), { page, names, row })),
      )
    }
  }
}

/** Every field of the rows, once: a record is left out if its id is a column, which shows its name. */
function columnsOf({ fields, list: { row } }: AnyResource) {
  const isGiven = (name: string) => name in fields && (name in row.shape || fields[name]?.ofRow !== undefined)
  return Object.entries(fields).filter(([name, { idField = '' }]) => isGiven(name) && !isGiven(idField))
}
