import { WorkspaceInput, type WorkspacePatch } from '@service/contract/admin/people-input'
import type * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { formatInstant } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import type { Page } from '../../core/pagination.ts'
import { inTransaction } from '../../store/transaction.ts'
import * as queries from './queries.ts'

export const NewWorkspace = WorkspaceInput
export type NewWorkspace = z.input<typeof NewWorkspace>

export interface Workspace {
  readonly id: number
  readonly name: string
  readonly time_zone: string
  readonly currency: string | null
  readonly created_at: string
}

export function createWorkspace(
  app: App,
  { currency = null, ...workspace }: z.output<typeof NewWorkspace>,
): Promise<Workspace> {
  return inTransaction(app, async (app) => {
    const row = await queries.insertWorkspace(app.db, { ...workspace, currency, created_at: app.clock.now() })
    await app.hooks.workspaceCreated?.(app, row.id)
    return toWorkspace(row)
  })
}

export async function listWorkspaces(app: App): Promise<Workspace[]> {
  return (await queries.listWorkspaces(app.db)).map(toWorkspace)
}

export const countWorkspaces = ({ db }: App): Promise<number> => queries.countWorkspaces(db)

/** Workspaces, newest first. */
export async function listWorkspacesPage(app: App, page: Page): Promise<Workspace[]> {
  return (await queries.listPage(app.db, page)).map(toWorkspace)
}

/** Omitted fields keep their values. */
export function updateWorkspace(app: App, id: number, patch: z.output<typeof WorkspacePatch>): Promise<Workspace> {
  return inTransaction(app, async (app) => {
    const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
    const before = await getWorkspace(app, id)
    const row = Object.keys(given).length === 0 ? undefined : await queries.updateWorkspace(app.db, id, given)
    app.store.afterCommit(() => namesOf(app.store).delete(id))
    return row === undefined ? before : toWorkspace(row)
  })
}

async function findWorkspace(app: App, id: number): Promise<Workspace | undefined> {
  const row = await queries.findWorkspace(app.db, id)
  return row && toWorkspace(row)
}

export async function getWorkspace(app: App, id: number): Promise<Workspace> {
  const workspace = await findWorkspace(app, id)
  if (workspace === undefined) throw notFound('workspace', id)
  return workspace
}

function toWorkspace(row: Omit<Workspace, 'created_at'> & { created_at: number }): Workspace {
  return { ...row, created_at: formatInstant(row.created_at) }
}

const namesOfStores = new WeakMap<object, Map<number, string>>()

function namesOf(store: object): Map<number, string> {
  const known = namesOfStores.get(store) ?? new Map<number, string>()
  namesOfStores.set(store, known)
  return known
}

/**
 * The workspace name; throws not_found. Cached, because workspaces are never deleted and rarely renamed. Another node
 * may serve the old name after a rename.
 */
export async function workspaceName(app: App, id: number): Promise<string> {
  const names = namesOf(app.store)
  const known = names.get(id)
  if (known !== undefined) return known
  const { name } = await getWorkspace(app, id)
  names.set(id, name)
  return name
}
