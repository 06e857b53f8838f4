import type { ProjectDetail } from '@service/contract/admin/work'
import { projectStatuses } from '@service/contract/values'
import { editPage } from '../../ui/components/edit-page.tsx'
import { SelectField, TextField, wordOptions } from '../../ui/components/form.tsx'
import {
  besideStored,
  type FormState,
  freshForm,
  ifUnchanged,
  onceKey,
  submit,
  textOrNull,
  textOrUndefined,
} from '../../ui/forms.ts'
import { type Fields, type PageResult, placeOf, redirect, type WorkspacePage } from '../../ui/page-types.ts'

export const newProject = (page: WorkspacePage): PageResult =>
  projectForm(page, freshForm({ status: 'active', color: '#3959da' }))

export async function createProject(page: WorkspacePage): Promise<PageResult> {
  const call = page.admin.projects.create({ workspace: page.workspace.id }, fieldsOf(page.form), onceKey(page.form))
  const result = await submit(page, call)
  if (!result.ok) return projectForm(page, result.form)
  return redirect(page.link(`/projects/${result.data.id}`), `${result.data.name} is created`)
}

export async function editProject(page: WorkspacePage): Promise<PageResult> {
  const { data, meta } = await page.admin.projects.get(placeOf(page)).withMeta()
  return projectForm(page, freshForm({ ...data }), { project: data, version: meta.headers['etag'] })
}

export async function updateProject(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const result = await submit(page, page.admin.projects.update(place, fieldsOf(page.form), ifUnchanged(page.form)))
  if (result.ok) return redirect(page.link(`/projects/${place.id}`), `${result.data.name} is saved`)
  const { data, meta } = await page.admin.projects.get(place).withMeta()
  const state = besideStored(page.form, result.form, { ...data })
  return projectForm(page, state, { project: data, version: meta.headers['etag'] })
}

const fieldsOf = (form: Fields) => ({
  name: form.text('name'),
  status: textOrUndefined(form, 'status'),
  color: textOrNull(form, 'color'),
  starts_at: textOrNull(form, 'starts_at'),
  due_at: textOrNull(form, 'due_at'),
})

interface Edited {
  readonly project: ProjectDetail
  readonly version: string | undefined
}

function projectForm(page: WorkspacePage, state: FormState, { project, version }: Partial<Edited> = {}): PageResult {
  return editPage(page, {
    noun: 'project',
    list: { label: 'Projects', path: '/projects' },
    edited: project && { id: project.id, name: project.name },
    state,
    version,
    fields: (
      <>
        <TextField name="name" label="Name" state={state} autofocus={project === undefined} />
        <SelectField name="status" label="State" options={wordOptions(projectStatuses)} state={state} />
        <TextField name="color" label="Colour" hint="Such as #3959da." narrow optional state={state} />
        <TextField name="starts_at" label="Starts" type="date" narrow optional state={state} />
        <TextField name="due_at" label="Due" type="date" narrow optional state={state} />
      </>
    ),
  })
}
