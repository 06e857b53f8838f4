import type { SavedView } from '@service/contract/admin/people-input'
import type { Child } from 'hono/jsx'
import { ActionButton, Button } from '../components/button.tsx'
import { Confirm } from '../components/dialog.tsx'
import { Form, TextField } from '../components/form.tsx'
import { Icon } from '../components/icon.tsx'
import { newForm, urlWith } from '../forms.ts'
import type { IconName } from '../icon-names.ts'
import { type PageResult, redirect, type WorkspacePage } from '../page-types.ts'
import { listValues } from './list-query.ts'
import { type AnyResource, pathOf, type ResourceView } from './resource.ts'

// The saved views of a list: a member's own, which are stored with the membership, and those that the owner or an admin
// shares with the workspace.

const isMember = ({ person, workspace }: WorkspacePage) => person.workspaces.some(({ id }) => id === workspace.id)

const atWorkspace = ({ workspace }: WorkspacePage) => ({ workspace: workspace.id })

/** As the API calls it. The API checks it. */
const toListName = ({ noun }: AnyResource) => `${noun}s` as 'tickets'

export async function loadSavedViews(resource: AnyResource, page: WorkspacePage): Promise<readonly ResourceView[]> {
  if (resource.list.views === undefined) return []
  const [shared, own] = await Promise.all([
    page.admin.sharedViews.list(atWorkspace(page)),
    isMember(page) ? page.admin.views.list(atWorkspace(page)) : { data: [] },
  ])
  const views: readonly (ResourceView & { readonly list: string })[] = [
    ...shared.data.map(({ id, list, name, query, shared_by }) => {
      const shared = { id, by: shared_by?.name ?? 'a program' }
      return { list, label: name, query: toValues(query), shared }
    }),
    ...own.data.map(({ list, name, query }) => ({ list, label: name, query: toValues(query), isOwn: true })),
  ]
  return views.filter(({ list }) => list === toListName(resource))
}

const toValues = (query: string) => Object.fromEntries(new URLSearchParams(query))

interface ViewActionsProps {
  readonly resource: AnyResource
  readonly page: WorkspacePage
  /** The views that the filters match. */
  readonly current: readonly ResourceView[]
  /** The views that cannot be opened. They can be removed from every list. */
  readonly refused: readonly ResourceView[]
}

/** Saves or shares filters that match no view, or changes the matching views. */
export function ViewActions({ resource, page, current, refused }: ViewActionsProps) {
  const actionAt = (below: string) =>
    urlWith(page.link(`${pathOf(resource)}/views${below}`), listValues(resource, page.query))
  const isShared = current.some(({ shared }) => shared !== undefined)
  return (
    <>
      {current.length === 0 && <SaveView page={page} action={actionAt('')} />}
      {current.map((view) => (
        <>
          {view.shared !== undefined && <SharedView page={page} view={view} shared={view.shared} actionAt={actionAt} />}
          {view.isOwn && !isShared && page.can('admin') && (
            <ActionButton action={actionAt('')} fields={{ share: view.label }} variant="quiet" small icon="users">
              <Labeled verb="Share" view={view} />
            </ActionButton>
          )}
          <RemoveView page={page} view={view} actionAt={actionAt} />
        </>
      ))}
      {refused.map((view) => !current.includes(view) && <RemoveView page={page} view={view} actionAt={actionAt} />)}
    </>
  )
}

function SaveView({ page, action }: { readonly page: WorkspacePage; readonly action: string }) {
  const mayShare = page.can('admin')
  if (!isMember(page)) return mayShare ? <NameMenu {...{ action, label: 'Share view', isShared: true }} /> : null
  return <NameMenu {...{ action, label: 'Save view', mayShare }} />
}

interface NameMenuProps {
  readonly action: string
  readonly label: Child
  readonly icon?: IconName
  /** The view to rename. */
  readonly view?: { readonly id: number; readonly name: string }
  readonly mayShare?: boolean
  readonly isShared?: boolean
}

function NameMenu({ action, label, icon = 'plus', view, mayShare = false, isShared = false }: NameMenuProps) {
  const state = newForm({ name: view?.name })
  return (
    <details class="filter" data-menu>
      <summary class="button quiet small">
        <Icon name={icon} />
        {label}
      </summary>
      <div class="menu">
        <Form action={action} state={state}>
          <TextField
            id={view === undefined ? 'view-name' : `view-name-${view.id}`}
            name="name"
            label="Name"
            state={state}
          />
          {mayShare && (
            <label class="choice">
              <input type="checkbox" name="shared" />
              <span>Share with the workspace</span>
            </label>
          )}
          {isShared && <input type="hidden" name="shared" value="on" />}
          <Button>Save</Button>
        </Form>
      </div>
    </details>
  )
}

/** The label of a button. Several views may match the same filters. */
const Labeled = ({ verb, view: { label } }: { readonly verb: string; readonly view: ResourceView }) => (
  <span class="clip">
    {verb} <bdi>{label}</bdi>
  </span>
)

interface ViewProps {
  readonly page: WorkspacePage
  readonly view: ResourceView
  actionAt(below: string): string
}

function SharedView({ page, view, shared, actionAt }: ViewProps & Required<Pick<ResourceView, 'shared'>>) {
  const { id, by } = shared
  const name = view.label
  return (
    <>
      <span class="quiet clip">
        <bdi>{name}</bdi> is shared by <bdi>{by}</bdi>
      </span>
      {page.can('admin') && (
        <NameMenu
          action={actionAt(`/${id}`)}
          label={<Labeled verb="Rename" view={view} />}
          icon="pencil"
          view={{ id, name }}
        />
      )}
    </>
  )
}

/** Removes a shared view, or deletes the member's own. */
function RemoveView({ page, view, actionAt }: ViewProps) {
  const { label, isOwn = false, shared } = view
  if (isOwn)
    return (
      <ActionButton action={actionAt('')} fields={{ delete: label }} variant="quiet" small icon="trash-2">
        <Labeled verb="Delete" view={view} />
      </ActionButton>
    )
  if (shared === undefined || !page.can('admin')) return null
  const children = <Labeled verb="Remove" view={view} />
  return (
    <Confirm
      id={`remove-view-${shared.id}`}
      button={{ variant: 'quiet', small: true, icon: 'trash-2', children }}
      title={`Remove the view ${label}?`}
      action={actionAt(`/${shared.id}/delete`)}
      confirmLabel="Remove for everyone"
    >
      It is removed for everyone in the workspace. What it lists stays.
    </Confirm>
  )
}

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
    if (!result.ok) return refusedView(resource, page, result.error)
    if (ownToShare === '') return toList(resource, page, `${name} is shared`)
  }
  const result = await changeOwnViews(page, (stored) => {
    const others = stored.filter((view) => view.list !== list || view.name !== name)
    if (deleted !== '' || isShared) return others
    return [...stored, { list, name, query }]
  })
  if (!result.ok) return refusedView(resource, page, result.error)
  if (deleted !== '') return redirect(page.link(pathOf(resource)), `${name} is deleted`)
  return toList(resource, page, isShared ? `${name} is shared` : `${name} is saved`)
}

const maxAttempts = 10

/** The API replaces the whole list, so the change starts over if another request has changed the list meanwhile. */
async function changeOwnViews(page: WorkspacePage, change: (stored: readonly SavedView[]) => SavedView[]) {
  for (let attempt = 1; ; attempt += 1) {
    const found = await page.admin.views.list(atWorkspace(page)).safe()
    if (!found.ok) throw found.error
    const options = { headers: { 'if-match': found.meta.headers['etag'] ?? '*' } }
    const result = await page.admin.views.update(atWorkspace(page), { data: change(found.data.data) }, options).safe()
    if (result.ok || result.error.status !== 412 || attempt === maxAttempts) return result
  }
}

const viewRef = (page: WorkspacePage) => ({ ...atWorkspace(page), id: Number(page.params['id']) })

export async function renameView(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  const name = page.form.text('name')
  const result = await page.admin.sharedViews.update(viewRef(page), { name }).safe()
  return result.ok ? toList(resource, page, `The view is now ${name}`) : refusedView(resource, page, result.error)
}

export async function removeView(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  await page.admin.sharedViews.delete(viewRef(page))
  return redirect(page.link(pathOf(resource)), 'The view is removed')
}

const toList = (resource: AnyResource, page: WorkspacePage, notice: string) =>
  redirect(urlWith(page.link(pathOf(resource)), listValues(resource, page.query)), notice)

function refusedView(resource: AnyResource, page: WorkspacePage, error: { readonly code: string }): PageResult {
  const { message = '', errors = {} } = page.findRefusal(error) ?? {}
  if (error.code === 'conflict') return toList(resource, page, `The view was not saved: ${message}`)
  if (error.code !== 'validation') throw error
  const [field = ''] = Object.keys(errors)
  const remedies: Readonly<Record<string, string>> = {
    name: 'enter a name of 1 to 64 characters',
    query: message,
    shared_views: message,
  }
  const remedy = remedies[field.split('.').at(-1) ?? ''] ?? 'delete one of your views first'
  return toList(resource, page, `The view was not saved: ${remedy}`)
}
