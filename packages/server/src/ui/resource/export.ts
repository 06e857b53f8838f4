import { csvLine } from '../csv.ts'
import type { PageResult, WorkspacePage } from '../page-types.ts'
import { loadNames, textOf } from './fields.tsx'
import { listQuery } from './list-query.ts'
import type { AnyRecord, AnyResource } from './resource.ts'

/** All records that match the filters, in the order of the list. */
export function downloadCsv(resource: AnyResource, page: WorkspacePage): PageResult {
  return { kind: 'download', name: `${resource.noun}s.csv`, type: 'text/csv', content: csvOf(resource, page) }
}

const pageSize = 200

async function* csvOf(resource: AnyResource, page: WorkspacePage): AsyncIterable<string> {
  const names = await loadNames(page, Object.values(resource.fields), null)
  const query = { ...listQuery(resource, page.query), limit: pageSize }
  let columns: ReturnType<typeof columnsOf> | undefined
  for await (const row of resource.api(page.admin).list({ workspace: page.workspace.id }, query)) {
    if (columns === undefined) {
      columns = columnsOf(resource, row)
      yield headOf(columns)
    }
    yield csvLine(columns.map(([name, field]) => textOf(field, row[name], { page, names, row })))
  }
  if (columns === undefined) yield headOf(columnsOf(resource, undefined))
}

const headOf = (columns: ReturnType<typeof columnsOf>) => csvLine(columns.map(([, { label }]) => label))

/** Every field of the rows, once: ids and the records that they refer to have the same label. */
const columnsOf = ({ fields }: AnyResource, row: AnyRecord | undefined) =>
  Object.entries(fields).filter(
    ([name, { label }], index, all) =>
      (row === undefined || name in row) &&
      all.findIndex(([other, field]) => field.label === label && (row === undefined || other in row)) === index,
  )
