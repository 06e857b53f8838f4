import type { SavedView } from '@service/contract/admin/people-input'
import type { App } from '../../context.ts'
import type { AdminCaller } from '../../core/admin-caller.ts'
import { forbidden } from '../../core/errors.ts'
import * as queries from './queries.ts'

interface SavedViewsRef {
  readonly workspaceId: number
  readonly caller: AdminCaller
}

/** The caller's named filters of dashboard lists. */
export async function listSavedViews(app: App, { workspaceId, caller }: SavedViewsRef): Promise<{ data: SavedView[] }> {
  const row = await queries.findSavedViews(app.db, workspaceId, caller.user?.id ?? 0)
  if (row === undefined) throw forbidden('Only members of the workspace have saved views.')
  return { data: JSON.parse(row.saved_views) }
}

/** Replaces the caller's views. */
export async function setSavedViews(app: App, ref: SavedViewsRef, views: readonly SavedView[]) {
  await listSavedViews(app, ref)
  const { workspaceId, caller } = ref
  await queries.setSavedViews(app.db, { workspaceId, userId: caller.user?.id ?? 0, views: JSON.stringify(views) })
  return { data: views }
}
