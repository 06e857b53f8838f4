import type { SharedView } from '@service/contract/admin/people'
import type { SavedView } from '@service/contract/admin/people-input'
import type { App } from '../../context.ts'
import type { AdminCaller } from '../../core/admin-caller.ts'
import { formatInstant } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import { lockRows, requireRoom } from '../../store/row-limits.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { getWorkspace } from '../workspaces/service.ts'
import { checkViewQuery } from './check-view-query.ts'
import * as queries from './queries.ts'
import { requireFreeName } from './view-names.ts'

/** The named filters of dashboard lists that everyone in the workspace sees, oldest first. */
export async function listSharedViews(app: App, { workspaceId }: { workspaceId: number }) {
  return { data: (await queries.listSharedViews(app.db, workspaceId)).map(toSharedView) }
}

export async function getSharedView(app: App, { workspaceId, id }: RowRef): Promise<SharedView> {
  const [row] = await queries.listSharedViews(app.db, workspaceId, id)
  if (row === undefined) throw notFound('shared view', id)
  return toSharedView(row)
}

interface NewSharedView extends SavedView {
  readonly workspaceId: number
  readonly caller: AdminCaller
}

export async function shareView(app: App, { workspaceId, caller, ...view }: NewSharedView): Promise<SharedView> {
  checkViewQuery(view)
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspaceId)
    await requireRoom(app, 'shared_views', workspaceId)
    const created = { workspace_id: workspaceId, shared_by: caller.user?.id ?? null, created_at: app.clock.now() }
    requireFreeName(view, await queries.listSharedViews(app.db, workspaceId), 'shared view')
    const { id } = await queries.insertSharedView(app.db, { ...view, ...created })
    return getSharedView(app, { workspaceId, id })
  })
}

export function renameSharedView(app: App, ref: RowRef, name: string | undefined): Promise<SharedView> {
  return inTransaction(app, async (app) => {
    await lockRows(app, 'shared_views', ref.workspaceId)
    const view = await getSharedView(app, ref)
    if (name === undefined) return view
    const views = await queries.listSharedViews(app.db, ref.workspaceId)
    const others = views.filter(({ id }) => id !== ref.id)
    requireFreeName({ list: view.list, name }, others, 'shared view')
    await queries.renameSharedView(app.db, { ...ref, name })
    return { ...view, name }
  })
}

export async function deleteSharedView(app: App, { workspaceId, id }: RowRef) {
  if (!(await queries.deleteSharedView(app.db, workspaceId, id))) throw notFound('shared view', id)
  return { id }
}

const toSharedView = ({ shared_by, shared_by_name: name, created_at, ...view }: queries.SharedViewRow): SharedView => ({
  ...view,
  list: view.list as SavedView['list'], // as it was stored
  shared_by: shared_by === null || name === null ? null : { id: shared_by, name },
  created_at: formatInstant(created_at),
})
