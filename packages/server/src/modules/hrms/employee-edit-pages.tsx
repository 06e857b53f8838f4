import type { Employee } from '@service/contract'
import { employmentTypes } from '@service/contract/values'
import { Button, LinkButton } from '../../ui/components/button.tsx'
import { PageHead } from '../../ui/components/card.tsx'
import { Form, FormFoot, namedOptions, SelectField, TextField, wordOptions } from '../../ui/components/form.tsx'
import { type FormState, freshForm, ifUnchanged, numberOrNull, onceKey, submit, textOrNull } from '../../ui/forms.ts'
import { type Fields, type PageResult, placeOf, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'

export const newEmployee = (page: WorkspacePage): Promise<PageResult> => createForm(page, freshForm())

export async function createEmployee(page: WorkspacePage): Promise<PageResult> {
  const { form } = page
  const user_id = numberOrNull(form, 'user_id')
  const person = user_id === null ? { name: form.text('name'), email: form.text('email') } : { user_id }
  const call = page.admin.employees.create(
    { workspace: page.workspace.id },
    { ...person, ...profileOf(form) },
    onceKey(form),
  )
  const result = await submit(page, call)
  if (!result.ok) return createForm(page, result.form)
  return redirect(page.link(`/employees/${result.data.id}`), `${result.data.user.name} is an employee`)
}

export async function editEmployee(page: WorkspacePage): Promise<PageResult> {
  const { data, meta } = await page.admin.employees.get(placeOf(page)).withMeta()
  const { user: _, ...values } = data
  return editForm(page, freshForm(values), { employee: data, version: meta.headers['etag'] })
}

export async function updateEmployee(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const result = await submit(page, page.admin.employees.update(place, profileOf(page.form), ifUnchanged(page.form)))
  if (result.ok) return redirect(page.link(`/employees/${place.id}`), `${result.data.user.name} is saved`)
  const { data, meta } = await page.admin.employees.get(place).withMeta()
  return editForm(page, result.form, { employee: data, version: meta.headers['etag'] })
}

const profileOf = (form: Fields) => ({
  employee_code: textOrNull(form, 'employee_code'),
  attendance_uid: textOrNull(form, 'attendance_uid'),
  department: textOrNull(form, 'department'),
  job_title: textOrNull(form, 'job_title'),
  employment_type: textOrNull(form, 'employment_type'),
  joined_at: textOrNull(form, 'joined_at'),
})

const crumb = (page: WorkspacePage) => ({ label: 'Employees', href: page.link('/employees') })

async function createForm(page: WorkspacePage, state: FormState): Promise<PageResult> {
  const members = await page.admin.members.list({ workspace: page.workspace.id }, { limit: 200 })
  return show({
    title: 'New employee',
    status: state.status,
    crumbs: [crumb(page)],
    body: (
      <>
        <PageHead title="New employee">The profile of a member, or of somebody who becomes one.</PageHead>
        <Form action={page.link('/employees')} state={state}>
          <SelectField
            name="user_id"
            label="Member"
            options={namedOptions(members.data, 'Somebody new')}
            state={state}
          />
          <TextField name="name" label="Name" hint="Of somebody new." optional state={state} />
          <TextField name="email" label="E-mail" type="email" hint="Of somebody new." optional state={state} />
          <ProfileFields state={state} />
          <FormFoot>
            <Button look="primary">Create employee</Button>
            <LinkButton href={page.link('/employees')} look="quiet">
              Cancel
            </LinkButton>
          </FormFoot>
        </Form>
      </>
    ),
  })
}

interface Edited {
  readonly employee: Employee
  readonly version: string | undefined
}

function editForm(page: WorkspacePage, state: FormState, { employee, version }: Edited): PageResult {
  const own = page.link(`/employees/${employee.id}`)
  return show({
    title: 'Edit',
    status: state.status,
    crumbs: [crumb(page), { label: employee.user.name, href: own }],
    body: (
      <>
        <PageHead title={`Edit ${employee.user.name}`} />
        <Form action={own} state={state} version={version}>
          <ProfileFields state={state} />
          <FormFoot>
            <Button look="primary">Save</Button>
            <LinkButton href={own} look="quiet">
              Cancel
            </LinkButton>
          </FormFoot>
        </Form>
      </>
    ),
  })
}

const employments = [{ value: '', label: 'Not said' }, ...wordOptions(employmentTypes)]

function ProfileFields({ state }: { readonly state: FormState }) {
  return (
    <>
      <TextField name="employee_code" label="Code" narrow optional state={state} />
      <TextField
        name="attendance_uid"
        label="Badge"
        hint="How devices at the door know them."
        narrow
        optional
        state={state}
      />
      <TextField name="department" label="Department" optional state={state} />
      <TextField name="job_title" label="Job" optional state={state} />
      <SelectField name="employment_type" label="Employment" options={employments} state={state} />
      <TextField name="joined_at" label="Joined" type="date" narrow optional state={state} />
    </>
  )
}
