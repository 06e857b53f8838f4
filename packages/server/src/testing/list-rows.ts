import type { Admin } from '@service/client/admin'
import type { TestServer } from './test-controls.ts'

/** The lists of the admin API that belong to a workspace. */
export type ListName =
  | 'accounts'
  | 'channels'
  | 'deals'
  | 'deliveries'
  | 'devices'
  | 'employees'
  | 'leads'
  | 'members'
  | 'messages'
  | 'projects'
  | 'tasks'
  | 'tickets'

/** A row of a list. */
export type ListRow<Name extends ListName> = Admin[Name] extends {
  list(...parameters: never): Promise<{ readonly data: readonly (infer Row extends { readonly id: number })[] }>
}
  ? Row
  : never

/** The ids of all workspaces, oldest first. */
export const listWorkspaceIds = async ({ admin }: Pick<TestServer, 'admin'>): Promise<number[]> =>
  (await listPages((query) => admin.workspaces.list(query))).map(({ id }) => id).toReversed()

/** All rows of a list, of one workspace or of all, newest first within each workspace. */
export async function listRows<Name extends ListName>(
  server: Pick<TestServer, 'admin'>,
  name: Name,
  workspace?: number,
): Promise<(ListRow<Name> & { readonly workspace: number })[]> {
  const workspaces = workspace === undefined ? await listWorkspaceIds(server) : [workspace]
  const { list } = server.admin[name] as unknown as { list: List<ListRow<Name>> } // the lists differ only in their rows and filters
  const rows = workspaces.map(async (workspace) =>
    (await listPages((query) => list({ workspace }, query))).map((row) => ({ ...row, workspace })),
  )
  return (await Promise.all(rows)).flat()
}

type PageQuery = { readonly limit: number; readonly before?: number }
type Page<Row> = { readonly data: readonly Row[]; readonly next_before: number | null }
type List<Row> = (params: { readonly workspace: number }, query: PageQuery) => Promise<Page<Row>>

const pageSize = 200

/** The rows of all pages. */
export async function listPages<Row>(readPage: (query: PageQuery) => Promise<Page<Row>>): Promise<Row[]> {
  const rows: Row[] = []
  let query: PageQuery | undefined = { limit: pageSize }
  while (query !== undefined) {
    const { data, next_before }: Page<Row> = await readPage(query)
    rows.push(...data)
    query = next_before === null ? undefined : { limit: pageSize, before: next_before }
  }
  return rows
}
