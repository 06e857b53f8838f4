import type * as z from 'zod/mini'
import { notFound } from '../../api-error.ts'
import type { App } from '../../context.ts'
import { toInstant } from '../../instants.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { NewWorkspace } from './input.ts'
import * as queries from './queries.ts'

export interface Workspace {
  readonly id: number
  readonly name: string
  readonly time_zone: string
  readonly created_at: string
}

export function createWorkspace(app: App, workspace: z.output<typeof NewWorkspace>): Promise<Workspace> {
  return inTransaction(app, async (app) => {
    const row = await queries.insertWorkspace(app.db, { ...workspace, created_at: app.clock.now() })
    await app.hooks.workspaceCreated?.(app, row.id)
    return toWorkspace(row)
  })
}

export async function listWorkspaces(app: App): Promise<Workspace[]> {
  return (await queries.listWorkspaces(app.db)).map(toWorkspace)
}

export async function findWorkspace(app: App, id: number): Promise<Workspace | undefined> {
  const row = await queries.findWorkspace(app.db, id)
  return row && toWorkspace(row)
}

export async function getWorkspace(app: App, id: number): Promise<Workspace> {
  const workspace = await findWorkspace(app, id)
  if (workspace === undefined) throw notFound('workspace', id)
  return workspace
}

function toWorkspace(row: { id: number; name: string; time_zone: string; created_at: number }): Workspace {
  return { ...row, created_at: toInstant(row.created_at) }
}

const namesOfStores = new WeakMap<object, Map<number, string>>()

/** The name; throws not_found. Workspaces are neither deleted nor renamed, so each is asked for once. */
export async function workspaceName(app: App, id: number): Promise<string> {
  const names = namesOfStores.get(app.store) ?? new Map<number, string>()
  namesOfStores.set(app.store, names)
  const known = names.get(id)
  if (known !== undefined) return known
  const { name } = await getWorkspace(app, id)
  names.set(id, name)
  return name
}
