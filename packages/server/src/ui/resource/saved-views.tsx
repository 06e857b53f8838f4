import type { Child } from 'hono/jsx'
import { ActionButton, Button } from '../components/button.tsx'
import { Confirm } from '../components/dialog.tsx'
import { Form, TextField } from '../components/form.tsx'
import { Icon } from '../components/icon.tsx'
import { type FormState, newForm, urlWith } from '../forms.ts'
import type { IconName } from '../icon-names.ts'
import type { WorkspacePage } from '../page-types.ts'
import { formerName, type Names } from './fields.tsx'
import { listValues } from './list-query.ts'
import { type AnyResource, pathOf, type ResourceView } from './resource.ts'

// The saved views of a list: a member's own, which are stored with the membership, and those that the owner or an admin
// shares with the workspace.

const isMember = ({ person, workspace }: WorkspacePage) => person.workspaces.some(({ id }) => id === workspace.id)

export const atWorkspace = ({ workspace }: WorkspacePage) => ({ workspace: workspace.id })

/** As the API calls it. The API checks it. */
export const toListName = ({ noun }: AnyResource) => `${noun}s` as 'tickets'

export async function loadSavedViews(resource: AnyResource, page: WorkspacePage): Promise<readonly ResourceView[]> {
  if (resource.list.views === undefined) return []
  const [shared, own] = await Promise.all([
    page.admin.sharedViews.list(atWorkspace(page)),
    isMember(page) ? page.admin.views.list(atWorkspace(page)) : { data: [] },
  ])
  const views: readonly (ResourceView & { readonly list: string })[] = [
    ...shared.data.map(({ id, list, name, query, shared_by }) => {
      const shared = { id, by: shared_by?.name ?? 'a program', byId: shared_by?.id }
      return { list, label: name, query: toValues(query), shared }
    }),
    ...own.data.map(({ list, name, query }) => ({ list, label: name, query: toValues(query), isOwn: true })),
  ]
  return views.filter(({ list }) => list === toListName(resource))
}

/** Names those who shared a view and have left the workspace. */
export const nameSharers = (page: WorkspacePage, { members = [] }: Names, views: readonly ResourceView[]) =>
  Promise.all(
    views.map(async (view) => {
      const { shared } = view
      const id = shared?.byId
      if (shared === undefined || id === undefined || members.some((member) => member.id === id)) return view
      const found = await page.admin.members.get({ ...atWorkspace(page), id }).safe()
      return found.ok ? view : { ...view, shared: { ...shared, by: formerName(shared.by) } }
    }),
  )

const toValues = (query: string) => Object.fromEntries(new URLSearchParams(query))

interface ViewActionsProps {
  readonly resource: AnyResource
  readonly page: WorkspacePage
  /** The views that the filters match. */
  readonly current: readonly ResourceView[]
  /** The views that cannot be opened. They can be removed from every list. */
  readonly refused: readonly ResourceView[]
  readonly refusedName?: RefusedName | undefined
}

/** The form with a refused name. */
export interface RefusedName {
  readonly state: FormState
  /** The view to rename; undefined for a new one. */
  readonly id: number | undefined
}

/** Saves or shares filters that match no view, or changes the matching views. */
export function ViewActions({ resource, page, current, refused, refusedName }: ViewActionsProps) {
  const actionAt = (below: string) =>
    urlWith(page.link(`${pathOf(resource)}/views${below}`), listValues(resource, page.query))
  const isShared = current.some(({ shared }) => shared !== undefined)
  const stateOf = (id?: number) => (refusedName?.id === id ? refusedName?.state : undefined)
  return (
    <>
      {(current.length === 0 || stateOf() !== undefined) && (
        <SaveView page={page} action={actionAt('')} refused={stateOf()} />
      )}
      {current.map((view) => (
        <>
          {view.shared !== undefined && (
            <SharedView
              page={page}
              view={view}
              shared={view.shared}
              actionAt={actionAt}
              refused={stateOf(view.shared.id)}
            />
          )}
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

function SaveView({ page, ...menu }: { readonly page: WorkspacePage } & Pick<NameMenuProps, 'action' | 'refused'>) {
  const mayShare = page.can('admin')
  if (!isMember(page)) return mayShare ? <NameMenu {...{ ...menu, label: 'Share view', isShared: true }} /> : null
  return <NameMenu {...{ ...menu, label: 'Save view', mayShare }} />
}

interface NameMenuProps {
  readonly action: string
  readonly refused: FormState | undefined
  readonly label: Child
  readonly icon?: IconName
  /** The view to rename. */
  readonly view?: { readonly id: number; readonly name: string }
  readonly mayShare?: boolean
  readonly isShared?: boolean
}

function NameMenu({ action, refused, label, icon = 'plus', view, mayShare = false, isShared = false }: NameMenuProps) {
  const state = refused ?? newForm({ name: view?.name })
  return (
    <details class="filter" data-menu open={refused !== undefined}>
      <summary class="button quiet small">
        <Icon name={icon} />
        {label}
      </summary>
      <div class="menu">
        {/* The version is the name itself, because that of each view would take another read. */}
        <Form action={action} state={state} version={view?.name}>
          <TextField
            id={view === undefined ? 'view-name' : `view-name-${view.id}`}
            name="name"
            label="Name"
            state={state}
          />
          {mayShare && (
            <label class="choice">
              <input type="checkbox" name="shared" checked={state.text('shared') !== ''} />
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

type SharedViewProps = ViewProps & Required<Pick<ResourceView, 'shared'>> & Pick<NameMenuProps, 'refused'>

function SharedView({ page, view, shared, actionAt, refused }: SharedViewProps) {
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
          refused={refused}
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
