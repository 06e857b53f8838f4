import type { SavedView } from '@service/contract/admin/people-input'
import type { App } from '../../context.ts'
import type { AdminCaller } from '../../core/admin-caller.ts'
import { forbidden } from '../../core/errors.ts'
import { checkViewQuery } from './check-view-query.ts'
import * as queries from './queries.ts'

interface SavedViewsRef {
  readonly workspaceId: number
  readonly caller: AdminCaller
}

/** The caller's named filters of dashboard lists. Callers who are not members have none. */
export async function listSavedViews(app: App, ref: SavedViewsRef): Promise<{ data: SavedView[] }> {
  const row = await findSavedViews(app, ref)
  return { data: row === undefined ? [] : JSON.parse(row.saved_views) }
}

const findSavedViews = (app: App, { workspaceId, caller }: SavedViewsRef) =>
  queries.findSavedViews(app.db, workspaceId, caller.user?.id ?? 0)

/** Replaces the caller's views. Queries that are stored already are not checked: their list may refuse them by now. */
export async function setSavedViews(app: App, ref: SavedViewsRef, views: readonly SavedView[]) {
  const row = await findSavedViews(app, ref)
  if (row === undefined) throw forbidden('Only members of the workspace have saved views.')
  const stored: SavedView[] = JSON.parse(row.saved_views)
  for (const [index, view] of views.entries()) {
    if (!stored.some(({ list, query }) => list === view.list && query === view.query))
      checkViewQuery(view, `data.${index}.query`)
  }
  const { workspaceId, caller } = ref
  await queries.setSavedViews(app.db, { workspaceId, userId: caller.user?.id ?? 0, views: JSON.stringify(views) })
  return { data: views }
}
