import type { SavedView } from '@service/contract/admin/people-input'
import type { App } from '../../context.ts'
import type { AdminCaller } from '../../core/admin-caller.ts'
import { forbidden } from '../../core/errors.ts'
import { checkViewQuery } from './check-view-query.ts'
import * as queries from './queries.ts'
import { requireFreeName } from './view-names.ts'

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

/** Replaces the caller's views. What is stored already is not checked: its list may refuse the query by now. */
export async function setSavedViews(app: App, ref: SavedViewsRef, views: readonly SavedView[]) {
  const row = await findSavedViews(app, ref)
  if (row === undefined) throw forbidden('Only members of the workspace have saved views.')
  const stored: SavedView[] = JSON.parse(row.saved_views)
  for (const [index, view] of views.entries()) {
    if (!stored.some(({ list, query }) => list === view.list && query === view.query))
      checkViewQuery(view, `data.${index}.query`)
  }
  checkNames(views, stored)
  const { workspaceId, caller } = ref
  await queries.setSavedViews(app.db, { workspaceId, userId: caller.user?.id ?? 0, views: JSON.stringify(views) })
  return { data: views }
}

/** Earlier versions stored views with the same name. They can be kept and deleted. */
function checkNames(views: readonly SavedView[], stored: readonly SavedView[]): void {
  const unmatched = [...stored]
  const { kept = [], added = [] } = Object.groupBy(views, ({ list, name }) => {
    const index = unmatched.findIndex((view) => view.list === list && view.name === name)
    if (index !== -1) unmatched.splice(index, 1)
    return index === -1 ? 'added' : 'kept'
  })
  for (const [index, view] of added.entries()) requireFreeName(view, [...kept, ...added.slice(0, index)], 'saved view')
}
