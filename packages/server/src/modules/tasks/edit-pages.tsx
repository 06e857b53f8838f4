import type { TaskDetail } from '@service/client/admin'
import { priorities, taskStatuses } from '@service/contract/values'
import { editPage } from '../../ui/components/edit-page.tsx'
import { SelectField, TextArea, TextField } from '../../ui/components/form.tsx'
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
import { namedOptions, wordOptions } from '../../ui/options.ts'
import { type Fields, type PageResult, placeOf, redirect, type WorkspacePage } from '../../ui/page-types.ts'

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
