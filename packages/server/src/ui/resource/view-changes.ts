import type { SavedView } from '@service/contract/admin/people-input'
import { refusedForm, sentText, urlWith } from '../forms.ts'
import { type PageResult, recordRef, redirect, type WorkspacePage } from '../page-types.ts'
import { ifVersion, readVersioned } from '../versions.ts'
import { listPage } from './list-page.tsx'
import { listValues } from './list-query.ts'
import { type AnyResource, pathOf } from './resource.ts'
import { atWorkspace, type RefusedName, toListName } from './saved-views.tsx'

/** Saves the filters of the URL under a name, shares them, or deletes the member's own view. */
export async function changeViews(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  const list = toListName(resource)
  const deleted = page.form.text('delete')
  const ownToShare = page.form.text('share')
  const name = page.form.text('name') || deleted || ownToShare
  const query = urlWith('', listValues(resource, page.query)).slice(1)
  const isShared = ownToShare !== '' || page.form.has('shared')
  if (isShared) {
    const result = await page.admin.sharedViews.create(atWorkspace(page), { list, name, query }).safe()
    if (!result.ok) return refusedView(resource, page, { error: result.error })
    if (ownToShare === '') return toList(resource, page, `${name} is shared`)
  }
  const result = await changeOwnViews(page, (stored) => {
    const others = stored.filter((view) => view.list !== list || view.name !== name)
    if (deleted !== '' || isShared) return others
    return [...stored, { list, name, query }]
  })
  if (!result.ok) return refusedView(resource, page, { error: result.error })
  if (deleted !== '') return redirect(page.link(pathOf(resource)), `${name} is deleted`)
  return toList(resource, page, isShared ? `${name} is shared` : `${name} is saved`)
}

const maxAttempts = 10

/** The API replaces the whole list, so the change starts over if another request has changed the list meanwhile. */
async function changeOwnViews(page: WorkspacePage, change: (stored: readonly SavedView[]) => SavedView[]) {
  for (let attempt = 1; ; attempt += 1) {
    const { data: stored, version } = await readVersioned(page.admin.views.list(atWorkspace(page)))
    const changed = { data: change(stored.data) }
    const result = await page.admin.views.update(atWorkspace(page), changed, ifVersion(version)).safe()
    if (result.ok || result.error.status !== 412 || attempt === maxAttempts) return result
  }
}

export async function renameView(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  const ref = recordRef(page)
  const name = page.form.text('name')
  const { data: stored, version } = await readVersioned(page.admin.sharedViews.get(ref))
  const seen = page.form.text('version')
  if (seen !== '' && sentText(stored.name) !== seen && stored.name !== name) {
    const problem = `Someone else has renamed it to ${stored.name}. Save again to keep your name.`
    return refusedName(resource, page, { state: refusedForm(page.form, { name: [problem] }, 412), id: ref.id })
  }
  const result = await page.admin.sharedViews.update(ref, { name }, ifVersion(version)).safe()
  if (!result.ok) return refusedView(resource, page, { error: result.error, id: ref.id })
  return toList(resource, page, `The view is now ${name}`)
}

export async function removeView(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  await page.admin.sharedViews.delete(recordRef(page))
  return redirect(page.link(pathOf(resource)), 'The view is removed')
}

const toList = (resource: AnyResource, page: WorkspacePage, notice: string) =>
  redirect(urlWith(page.link(pathOf(resource)), listValues(resource, page.query)), notice)

interface Refused {
  readonly error: { readonly code: string; readonly status?: number | undefined }
  /** The view to rename; undefined for a new one. */
  readonly id?: number
}

/** The list with the form and its input. The reason alone is shown if no form was sent, or if the list refuses the filters. */
function refusedView(
  resource: AnyResource,
  page: WorkspacePage,
  { error, id }: Refused,
): PageResult | Promise<PageResult> {
  if (error.code !== 'conflict' && error.code !== 'validation') throw error
  const { message = '', errors = {} } = page.findRefusal(error) ?? {}
  const field = Object.keys(errors)[0]?.split('.').at(-1)
  const remedies: Readonly<Record<string, string>> = {
    name: 'Enter a name of 1 to 64 characters.',
    query: message,
    shared_views: message,
  }
  const reason = field === undefined ? message : (remedies[field] ?? 'Delete one of your views first.')
  if (field === 'query' || !page.form.has('name')) return toList(resource, page, `The view was not saved: ${reason}`)
  const state = refusedForm(page.form, { name: [reason] }, error.status)
  return refusedName(resource, page, { state, id })
}

const refusedName = (resource: AnyResource, page: WorkspacePage, refused: RefusedName) =>
  listPage(resource, page, { status: refused.state.status, selected: [], refusedName: refused })
