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
  (await admin.workspaces.list({ limit: pageSize }).all()).map(({ id }) => id).toReversed()

/** All rows of a list, of one workspace or of all, newest first within each workspace. */
export async function listRows<Name extends ListName>(
  server: Pick<TestServer, 'admin'>,
  name: Name,
  workspace?: number,
): Promise<(ListRow<Name> & { readonly workspace: number })[]> {
  const workspaces = workspace === undefined ? await listWorkspaceIds(server) : [workspace]
  const { list } = server.admin[name] as unknown as { list: List<ListRow<Name>> } // the lists differ only in their rows and filters
  const rows = workspaces.map(async (workspace) =>
    (await list({ workspace }, { limit: pageSize }).all()).map((row) => ({ ...row, workspace })),
  )
  return (await Promise.all(rows)).flat()
}

type List<Row> = (
  params: { readonly workspace: number },
  query: { readonly limit: number },
) => { all(): Promise<readonly Row[]> }

const pageSize = 200
