import { ActionButton, Button } from '../components/button.tsx'
import { Form, TextField } from '../components/form.tsx'
import { Icon } from '../components/icon.tsx'
import { newForm, urlWith } from '../forms.ts'
import { type PageResult, redirect, type WorkspacePage } from '../page-types.ts'
import { listValues } from './list-query.ts'
import { type AnyResource, pathOf, type ResourceView } from './resource.ts'

// A member's own views of a list. They are stored with the membership.

const isMember = ({ person, workspace }: WorkspacePage) => person.workspaces.some(({ id }) => id === workspace.id)

export async function loadSavedViews(resource: AnyResource, page: WorkspacePage): Promise<readonly ResourceView[]> {
  if (resource.list.views === undefined || !isMember(page)) return []
  const { data } = await page.admin.views.list({ workspace: page.workspace.id })
  return data
    .filter(({ list }) => list === `${resource.noun}s`)
    .map(({ name, query }) => ({ label: name, query: Object.fromEntries(new URLSearchParams(query)), isSaved: true }))
}

interface ViewActionProps {
  readonly resource: AnyResource
  readonly page: WorkspacePage
  /** The view that the filters match. */
  readonly current: ResourceView | undefined
}

/** Saves filters that match no view, or deletes the member's own view. */
export function ViewAction({ resource, page, current }: ViewActionProps) {
  const values = listValues(resource, page.query)
  const action = urlWith(page.link(`${pathOf(resource)}/views`), values)
  if (!isMember(page)) return null
  if (current !== undefined)
    return current.isSaved === true ? (
      <ActionButton action={action} fields={{ delete: current.label }} variant="quiet" small icon="trash-2">
        Delete view
      </ActionButton>
    ) : null
  return (
    <details class="filter" data-menu>
      <summary class="button quiet small">
        <Icon name="plus" />
        Save view
      </summary>
      <div class="menu">
        <Form action={action} state={newForm()}>
          <TextField id="view-name" name="name" label="Name" state={newForm()} />
          <Button>Save</Button>
        </Form>
      </div>
    </details>
  )
}

/** Saves the filters of the URL under a name, or deletes the named view. */
export async function changeViews(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  const ref = { workspace: page.workspace.id }
  const list = `${resource.noun}s` as 'tickets' // the API checks it
  const deleted = page.form.text('delete')
  const name = page.form.text('name') || deleted
  const { data } = await page.admin.views.list(ref)
  const others = data.filter((view) => view.list !== list || view.name !== name)
  const path = page.link(pathOf(resource))
  if (deleted !== '') {
    await page.admin.views.update(ref, { data: others })
    return redirect(path, `${name} is deleted`)
  }
  const values = listValues(resource, page.query)
  const query = urlWith('', values).slice(1)
  const result = await page.admin.views.update(ref, { data: [...others, { list, name, query }] }).safe()
  if (result.ok) return redirect(urlWith(path, values), `${name} is saved`)
  if (result.error.code !== 'validation') throw result.error
  const [field = ''] = Object.keys(page.refusalOf(result.error)?.errors ?? {})
  const remedy = field.endsWith('name') ? 'enter a name of 1 to 64 characters' : 'delete one of your views first'
  return redirect(urlWith(path, values), `The view was not saved: ${remedy}`)
}
