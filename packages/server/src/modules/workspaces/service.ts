import type { ListedWorkspace, Workspace } from '@service/contract/admin/people'
import { WorkspaceInput, type WorkspacePatch } from '@service/contract/admin/people-input'
import type * as z from 'zod/mini'
import type { App } from '../../context.ts'
import type { AdminCaller } from '../../core/admin-caller.ts'
import { formatInstant, formatInstantOrNull } from '../../core/clock.ts'
import { forbidden, notFound } from '../../core/errors.ts'
import type { Page } from '../../core/pagination.ts'
import { inTransaction } from '../../store/transaction.ts'
import * as queries from './queries.ts'

export const NewWorkspace = WorkspaceInput
export type NewWorkspace = z.input<typeof NewWorkspace>

export type { Workspace }

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
export async function listWorkspacesPage(app: App, page: Page): Promise<ListedWorkspace[]> {
  const rows = await queries.listPage(app.db, page)
  const { owners, counts } = await queries.listOwnersAndCounts(
    app.db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    ...toWorkspace(row),
    owners: owners.filter(({ workspace_id }) => workspace_id === row.id).map(({ id, name }) => ({ id, name })),
    members: Number(counts.find(({ workspace_id }) => workspace_id === row.id)?.count ?? 0),
  }))
}

/** Omitted fields keep their values. */
export function updateWorkspace(
  app: App,
  caller: AdminCaller,
  { id, disabled, ...patch }: z.output<typeof WorkspacePatch> & { readonly id: number },
): Promise<Workspace> {
  if (disabled !== undefined && caller.role !== 'instance')
    throw forbidden(`This needs the role instance; yours is ${caller.role}.`)
  return inTransaction(app, async (app) => {
    const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
    const before = await getWorkspace(app, id)
    if (disabled !== undefined && disabled !== (before.disabled_at !== null))
      Object.assign(given, { disabled_at: disabled ? app.clock.now() : null })
    const row = Object.keys(given).length === 0 ? undefined : await queries.updateWorkspace(app.db, id, given)
    app.store.afterCommit(() => statesOf(app.store).delete(id))
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

type Row = NonNullable<Awaited<ReturnType<typeof queries.findWorkspace>>>

const toWorkspace = ({ disabled_at, created_at, ...row }: Row): Workspace => ({
  ...row,
  disabled_at: formatInstantOrNull(disabled_at),
  created_at: formatInstant(created_at),
})

interface State {
  readonly name: string
  readonly isDisabled: boolean
  readonly readAtMs: number
}

const statesOfStores = new WeakMap<object, Map<number, State>>()

function statesOf(store: object): Map<number, State> {
  const known = statesOfStores.get(store) ?? new Map<number, State>()
  statesOfStores.set(store, known)
  return known
}

const rereadAfterMs = 10_000

/** Every request needs it. On PostgreSQL another node may change it at any time, so nothing is cached there. */
async function getState(app: App, id: number): Promise<State> {
  const states = app.store.dialect === 'sqlite' ? statesOf(app.store) : undefined
  const known = states?.get(id)
  const now = app.clock.elapsedMs()
  if (known !== undefined && Math.abs(now - known.readAtMs) < rereadAfterMs) return known
  const { name, disabled_at } = await getWorkspace(app, id)
  const state = { name, isDisabled: disabled_at !== null, readAtMs: now }
  states?.set(id, state)
  return state
}

/** The workspace name; throws not_found. */
export const workspaceName = async (app: App, id: number): Promise<string> => (await getState(app, id)).name

/** Throws not_found if the workspace is missing or disabled. */
export async function requireActiveWorkspace(app: App, id: number): Promise<void> {
  if ((await getState(app, id)).isDisabled) throw notFound('workspace', id)
}
