import type { TicketDetail } from '@service/contract/admin/work'
import { priorities, ticketStatuses } from '@service/contract/values'
import { editPage } from '../../ui/components/edit-page.tsx'
import { namedOptions, SelectField, TextArea, TextField, wordOptions } from '../../ui/components/form.tsx'
import {
  besideStored,
  type FormState,
  freshForm,
  ifUnchanged,
  numberOrNull,
  onceKey,
  submit,
  textOrNull,
  textOrUndefined,
} from '../../ui/forms.ts'
import { type Fields, type PageResult, placeOf, redirect, type WorkspacePage } from '../../ui/page-types.ts'

export const newTicket = (page: WorkspacePage): Promise<PageResult> =>
  ticketForm(page, freshForm({ status: 'open', priority: 'medium' }))

export async function createTicket(page: WorkspacePage): Promise<PageResult> {
  const { status, ...fields } = fieldsOf(page.form)
  const call = page.admin.tickets.create(
    { workspace: page.workspace.id },
    { ...fields, title: page.form.text('title') },
    onceKey(page.form),
  )
  const result = await submit(page, call)
  if (!result.ok) return ticketForm(page, result.form)
  return redirect(page.link(`/tickets/${result.data.id}`), `${result.data.ticket_number} is created`)
}

export async function editTicket(page: WorkspacePage): Promise<PageResult> {
  const { data, meta } = await page.admin.tickets.get(placeOf(page)).withMeta()
  return ticketForm(page, freshForm(valuesOf(data)), { ticket: data, version: meta.headers['etag'] })
}

export async function updateTicket(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const result = await submit(page, page.admin.tickets.update(place, fieldsOf(page.form), ifUnchanged(page.form)))
  if (result.ok) return redirect(page.link(`/tickets/${place.id}`), `${result.data.ticket_number} is saved`)
  const { data, meta } = await page.admin.tickets.get(place).withMeta()
  const state = besideStored(page.form, result.form, valuesOf(data))
  return ticketForm(page, state, { ticket: data, version: meta.headers['etag'] })
}

function valuesOf({ title, description, status, priority, assigned_to, project_id, due_at, tags }: TicketDetail) {
  return { title, description, status, priority, assigned_to, project_id, due_at, tags: tags.join(', ') }
}

/** What the form has: the whole ticket, or one field of it. */
const fieldsOf = (form: Fields) => ({
  ...(form.has('title') && { title: form.text('title') }),
  ...(form.has('description') && { description: textOrNull(form, 'description') }),
  ...(form.has('status') && { status: textOrUndefined(form, 'status') }),
  ...(form.has('priority') && { priority: textOrUndefined(form, 'priority') }),
  ...(form.has('assigned_to') && { assigned_to: numberOrNull(form, 'assigned_to') }),
  ...(form.has('project_id') && { project_id: numberOrNull(form, 'project_id') }),
  ...(form.has('due_at') && { due_at: textOrNull(form, 'due_at') }),
  ...(form.has('tags') && { tags: tagsOf(form) }),
})

const tagsOf = (form: Fields) =>
  form
    .text('tags')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)

interface Edited {
  readonly ticket: TicketDetail
  readonly version: string | undefined
}

async function ticketForm(page: WorkspacePage, state: FormState, edited?: Edited): Promise<PageResult> {
  const workspace = page.workspace.id
  const [members, projects] = await Promise.all([
    page.admin.members.list({ workspace }, { limit: 200 }),
    page.admin.projects.list({ workspace }, { limit: 200 }),
  ])
  const { ticket, version } = edited ?? {}
  return editPage(page, {
    noun: 'ticket',
    list: { label: 'Tickets', path: '/tickets' },
    edited: ticket && { id: ticket.id, name: ticket.ticket_number },
    heading: ticket && `Edit ${ticket.ticket_number}`,
    state,
    version,
    fields: (
      <>
        <TextField name="title" label="Title" state={state} autofocus={ticket === undefined} />
        <TextArea name="description" label="Description" optional state={state} />
        {ticket !== undefined && (
          <SelectField name="status" label="Status" options={wordOptions(ticketStatuses)} state={state} />
        )}
        <SelectField name="priority" label="Priority" options={wordOptions(priorities)} state={state} />
        <SelectField name="assigned_to" label="Assignee" options={namedOptions(members.data, 'Nobody')} state={state} />
        <SelectField name="project_id" label="Project" options={namedOptions(projects.data, 'None')} state={state} />
        <TextField name="due_at" label="Due" type="date" narrow optional state={state} />
        <TextField name="tags" label="Tags" optional hint="With commas between them." state={state} />
      </>
    ),
  })
}
