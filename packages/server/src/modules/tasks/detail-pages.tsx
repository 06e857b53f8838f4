import type { TaskDetail } from '@service/contract/admin/work'
import { priorities, taskStatuses } from '@service/contract/values'
import { PriorityMark, StatusMark, Tag } from '../../ui/components/badge.tsx'
import { ActionButton, LinkButton } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import { Confirm } from '../../ui/components/dialog.tsx'
import { editPage } from '../../ui/components/edit-page.tsx'
import { namedOptions, SelectField, TextArea, TextField, wordOptions } from '../../ui/components/form.tsx'
import { Person } from '../../ui/components/person.tsx'
import { Day, Time } from '../../ui/components/time.tsx'
import { words } from '../../ui/format.ts'
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
import { type Fields, type PageResult, placeOf, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'

export async function taskDetail(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const task = await page.admin.tasks.get(place)
  const related = [...(task.parent_id === null ? [] : [task.parent_id]), ...task.subtask_ids.slice(0, 50)]
  const found = await Promise.all(related.map((id) => page.admin.tasks.get({ ...place, id })))
  const parent = found.find(({ id }) => id === task.parent_id)
  const subtasks = found.filter(({ id }) => id !== task.parent_id)
  return show({
    title: task.title,
    live: true,
    crumbs: [{ label: 'Tasks', href: page.link('/tasks') }],
    body: (
      <div class="stack" id={`task-detail-${task.id}`} data-live="tasks">
        <PageHead title={task.title} actions={page.can('member') && <Actions page={page} task={task} />} />
        <TaskFacts page={page} task={task} parent={parent} />
        {task.description !== null && task.description !== '' && (
          <section class="section">
            <h2>Description</h2>
            <p class="prose" dir="auto">
              {task.description}
            </p>
          </section>
        )}
        {subtasks.length > 0 && (
          <section class="section">
            <h2>Subtasks</h2>
            <ul class="links">
              {subtasks.map(({ id, title, status }) => (
                <li class="with-icon">
                  <StatusMark status={status} />
                  <a dir="auto" href={page.link(`/tasks/${id}`)}>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    ),
  })
}

/** The board's columns in their order, among which a task's own may be missing. */
const statuses: readonly string[] = taskStatuses

function Actions({ page, task }: { readonly page: WorkspacePage; readonly task: TaskDetail }) {
  const { id, title } = task
  const next = statuses[statuses.indexOf(task.status) + 1]
  return (
    <>
      <Confirm
        id={`delete-task-${id}`}
        button={{ icon: 'trash-2', label: 'Delete', look: 'quiet' }}
        title={`Delete “${title}”?`}
        action={page.link(`/tasks/${id}/delete`)}
        does="Delete task"
      >
        This cannot be undone.
      </Confirm>
      <LinkButton id="edit-task" href={page.link(`/tasks/${id}/edit`)} icon="pencil" shortcut="e">
        Edit
      </LinkButton>
      {next !== undefined && (
        <ActionButton
          id="advance-task"
          action={page.link(`/tasks/${id}/status`)}
          fields={{ status: next }}
          look="primary"
          icon={next === 'done' ? 'check' : 'arrow-right'}
        >
          {next === 'done' ? 'Done' : words(next)}
        </ActionButton>
      )}
    </>
  )
}

function TaskFacts({
  page,
  task: { status, priority, assignee, project, ticket, due_at, tags, created_at, updated_at },
  task,
  parent,
}: {
  readonly page: WorkspacePage
  readonly task: TaskDetail
  readonly parent: TaskDetail | undefined
}) {
  const isLate = due_at !== null && Date.parse(due_at) < page.now && task.status !== 'done'
  return (
    <Facts
      facts={[
        ['Status', <StatusMark status={status} withWord />],
        ['Priority', <PriorityMark priority={priority} withWord />],
        ['Assignee', <Person name={assignee?.name} />],
        project !== null && [
          'Project',
          <a dir="auto" href={page.link(`/projects/${project.id}`)}>
            {project.name}
          </a>,
        ],
        ticket !== null && [
          'Ticket',
          <a dir="auto" href={page.link(`/tickets/${ticket.id}`)}>
            {ticket.ticket_number} {ticket.title}
          </a>,
        ],
        parent !== undefined && [
          'Part of',
          <a dir="auto" href={page.link(`/tasks/${parent.id}`)}>
            {parent.title}
          </a>,
        ],
        due_at !== null && ['Due', <Day on={due_at.slice(0, 10)} isLate={isLate} />],
        tags.length > 0 && ['Tags', tags.map((tag) => <Tag>{tag}</Tag>)],
        ['Created', <Time at={created_at} exact />],
        updated_at !== created_at && ['Updated', <Time at={updated_at} exact />],
      ]}
    />
  )
}

/** To another column: back to the board for who has moved it there, else to the task. */
export async function moveTask(page: WorkspacePage): Promise<PageResult> {
  const { id, title, status } = await page.admin.tasks.update(placeOf(page), { status: page.form.text('status') })
  const back = page.query.has('board') ? page.cameFrom : page.link(`/tasks/${id}`)
  return redirect(back, `${title} is ${words(status).toLowerCase()}`)
}

export async function deleteTask(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const { title } = await page.admin.tasks.get(place)
  await page.admin.tasks.delete(place)
  return redirect(page.link('/tasks'), `${title} is deleted`)
}

export const newTask = (page: WorkspacePage): Promise<PageResult> =>
  taskForm(page, freshForm({ status: 'todo', priority: 'medium', project_id: page.query.text('project_id') }))

export async function createTask(page: WorkspacePage): Promise<PageResult> {
  const call = page.admin.tasks.create({ workspace: page.workspace.id }, fieldsOf(page.form), onceKey(page.form))
  const result = await submit(page, call)
  if (!result.ok) return taskForm(page, result.form)
  return redirect(page.link(`/tasks/${result.data.id}`), `${result.data.title} is created`)
}

export async function editTask(page: WorkspacePage): Promise<PageResult> {
  const { data, meta } = await page.admin.tasks.get(placeOf(page)).withMeta()
  return taskForm(page, freshForm(valuesOf(data)), { task: data, version: meta.headers['etag'] })
}

export async function updateTask(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const result = await submit(page, page.admin.tasks.update(place, fieldsOf(page.form), ifUnchanged(page.form)))
  if (result.ok) return redirect(page.link(`/tasks/${place.id}`), `${result.data.title} is saved`)
  const { data, meta } = await page.admin.tasks.get(place).withMeta()
  const state = besideStored(page.form, result.form, valuesOf(data))
  return taskForm(page, state, { task: data, version: meta.headers['etag'] })
}

function valuesOf({ title, description, status, priority, assigned_to, project_id, due_at }: TaskDetail) {
  return { title, description, status, priority, assigned_to, project_id, due_at: due_at?.slice(0, 10) }
}

const fieldsOf = (form: Fields) => ({
  title: form.text('title'),
  description: textOrNull(form, 'description'),
  status: textOrUndefined(form, 'status'),
  priority: textOrUndefined(form, 'priority'),
  assigned_to: numberOrNull(form, 'assigned_to'),
  project_id: numberOrNull(form, 'project_id'),
  due_at: textOrNull(form, 'due_at'),
})

interface Edited {
  readonly task: TaskDetail
  readonly version: string | undefined
}

async function taskForm(page: WorkspacePage, state: FormState, edited?: Edited): Promise<PageResult> {
  const at = { workspace: page.workspace.id }
  const [members, projects] = await Promise.all([
    page.admin.members.list(at, { limit: 200 }),
    page.admin.projects.list(at, { limit: 200 }),
  ])
  const { task, version } = edited ?? {}
  return editPage(page, {
    noun: 'task',
    list: { label: 'Tasks', path: '/tasks' },
    edited: task && { id: task.id, name: task.title },
    state,
    version,
    fields: (
      <>
        <TextField name="title" label="Title" state={state} autofocus={task === undefined} />
        <TextArea name="description" label="Description" optional state={state} />
        <SelectField name="status" label="Status" options={wordOptions(taskStatuses)} state={state} />
        <SelectField name="priority" label="Priority" options={wordOptions(priorities)} state={state} />
        <SelectField name="assigned_to" label="Assignee" options={namedOptions(members.data, 'Nobody')} state={state} />
        <SelectField name="project_id" label="Project" options={namedOptions(projects.data, 'None')} state={state} />
        <TextField name="due_at" label="Due" type="date" narrow optional state={state} />
      </>
    ),
  })
}
