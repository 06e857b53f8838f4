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

interface ListOptions {
  /** All by default. */
  readonly workspace?: number | undefined
  /** The maximum number of rows per workspace; unlimited by default. */
  readonly limit?: number
}

const pageSize = 200

/** The ids of all workspaces, oldest first. */
export async function listWorkspaceIds({ admin }: Pick<TestServer, 'admin'>): Promise<number[]> {
  return (await listPages((query) => admin.workspaces.list(query))).map(({ id }) => id).toReversed()
}

/** All rows of a list with their workspace, newest first within each workspace. */
export async function listRows<Name extends ListName>(
  server: Pick<TestServer, 'admin'>,
  name: Name,
  { workspace, limit }: ListOptions = {},
): Promise<(ListRow<Name> & { readonly workspace: number })[]> {
  const workspaces = workspace === undefined ? await listWorkspaceIds(server) : [workspace]
  const { list } = server.admin[name] as unknown as { list: List<ListRow<Name>> } // the lists differ only in their rows and filters
  const rows = workspaces.map(async (workspace) => {
    const listed = await listPages((query) => list({ workspace }, query), limit)
    return listed.map((row) => ({ ...row, workspace }))
  })
  return (await Promise.all(rows)).flat()
}

type List<Row> = (params: { readonly workspace: number }, query: PageQuery) => Promise<Page<Row>>

interface PageQuery {
  readonly limit: number
  readonly before?: number
}

interface Page<Row> {
  readonly data: readonly Row[]
  readonly next_before: number | null
}

/** The rows of all pages. */
export async function listPages<Row>(
  readPage: (query: PageQuery) => Promise<Page<Row>>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Row[]> {
  const rows: Row[] = []
  let before: number | undefined
  do {
    const page = await readPage({ limit: pageSize, ...(before === undefined ? {} : { before }) })
    rows.push(...page.data)
    before = page.next_before ?? undefined
  } while (before !== undefined && rows.length < limit)
  return rows
}
