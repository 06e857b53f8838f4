import type { Page } from '@service/client/admin'
import type { WorkspacePage } from '../../ui/page-types.ts'

export type EmployeeNames = ReadonlyMap<number, string>

/** The names of these employees. */
export function employeeNames({ admin, workspace: { id: workspace } }: WorkspacePage, ids: readonly number[]) {
  const name = ({ id, user }: { id: number; user: { name: string } }) => [id, user.name] as const
  return namesOf(ids, {
    list: async () => toEntries(await admin.employees.list({ workspace }, { limit: 200 }), name),
    get: async (id) => name(await admin.employees.get({ workspace, id })),
  })
}

/** The names of these devices. */
export function deviceNames({ admin, workspace: { id: workspace } }: WorkspacePage, ids: readonly number[]) {
  const name = ({ id, device_name }: { id: number; device_name: string }) => [id, device_name] as const
  return namesOf(ids, {
    list: async () => toEntries(await admin.devices.list({ workspace }, { limit: 200 }), name),
    get: async (id) => name(await admin.devices.get({ workspace, id })),
  })
}

type Entry = readonly [number, string]

const toEntries = <Row>({ data }: Page<Row>, name: (row: Row) => Entry): Entry[] => data.map(name)

interface Sources {
  readonly list: () => Promise<readonly Entry[]>
  readonly get: (id: number) => Promise<Entry>
}

/** Most workspaces have fewer than a page of them; the others are asked for one by one. */
async function namesOf(ids: readonly number[], { list, get }: Sources): Promise<EmployeeNames> {
  if (ids.length === 0) return new Map()
  const names = new Map(await list())
  const missing = [...new Set(ids)].filter((id) => !names.has(id))
  for (const [id, name] of await Promise.all(missing.map(get))) names.set(id, name)
  return names
}
