import type { Punch } from '@service/contract/admin/hrms'
import { LinkButton } from '../../ui/components/button.tsx'
import { namedOptions, SelectField, TextField } from '../../ui/components/form.tsx'
import { formPage } from '../../ui/components/form-page.tsx'
import { clockTime, dayOf, withOffset } from '../../ui/format.ts'
import {
  type FormState,
  idempotency,
  newForm,
  numberOrUndefined,
  refusedForm,
  submit,
  textOrUndefined,
  urlWith,
} from '../../ui/forms.ts'
import { type PageResult, recordRef, redirect, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { dayIn } from './attendance-pages.tsx'

// Adding, correcting, and deleting punches. Times are those of the workspace.

export const correctionPages: WorkspacePages = [
  { method: 'GET', path: '/attendance/punches/new', role: 'admin', handle: newPunch },
  { method: 'POST', path: '/attendance/punches', role: 'admin', handle: addPunch },
  { method: 'GET', path: '/attendance/punches/{id}/edit', role: 'admin', handle: editPunch },
  { method: 'POST', path: '/attendance/punches/{id}', role: 'admin', handle: correctPunch },
  { method: 'GET', path: '/attendance/punches/{id}/delete', role: 'admin', handle: askToDelete },
  { method: 'POST', path: '/attendance/punches/{id}/delete', role: 'admin', handle: deletePunch },
]

function newPunch(page: WorkspacePage): Promise<PageResult> {
  const { zone } = page.workspace
  const time = clockTime(page.now, zone)
  const at = `${dayIn(page.query.text('day')) ?? dayOf(page.now, zone)}T${time}`
  return newPunchPage(page, newForm({ at, direction: 'in', employee_id: page.query.text('employee_id') }))
}

async function newPunchPage(page: WorkspacePage, state: FormState): Promise<PageResult> {
  return formPage({
    title: 'Add punch',
    crumbs: crumbsOf(page),
    intro: `For a punch that is missing. Times in ${page.workspace.zone}.`,
    action: page.link('/attendance/punches'),
    cancel: page.link('/attendance'),
    state,
    fields: (
      <>
        <SelectField
          name="employee_id"
          label="Employee"
          options={namedOptions(await employeesFor(page, Number(state.text('employee_id'))), 'Choose')}
          state={state}
        />
        <PunchFields state={state} />
      </>
    ),
    submitLabel: 'Add punch',
  })
}

/** The first employees, and the chosen one. */
async function employeesFor({ admin, workspace: { id: workspace } }: WorkspacePage, chosen: number) {
  const { data } = await admin.employees.list({ workspace }, { limit: 200 })
  const isListed = chosen === 0 || data.some(({ id }) => id === chosen)
  const found = isListed ? undefined : await admin.employees.get({ workspace, id: chosen }).safe()
  return [...data, ...(found?.ok ? [found.data] : [])]
    .map(({ id, user }) => ({ id, name: user.name }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

const directions = [
  { value: 'in', label: 'In' },
  { value: 'out', label: 'Out' },
]

const PunchFields = ({ state }: { readonly state: FormState }) => (
  <>
    <TextField name="at" label="Time" type="datetime-local" state={state} narrow />
    <SelectField name="direction" label="Direction" options={directions} state={state} />
    <ReasonField state={state} />
  </>
)

const ReasonField = ({ state }: { readonly state: FormState }) => (
  <TextField name="reason" label="Reason" hint="Shown with the punch and in the audit log." state={state} />
)

async function addPunch(page: WorkspacePage): Promise<PageResult> {
  const { admin, form, workspace } = page
  const input = {
    employee_id: numberOrUndefined(form, 'employee_id') ?? 0,
    direction: directionOf(page),
    at: withOffset(form.text('at'), workspace.zone),
    reason: form.text('reason'),
  }
  const result = await submit(page, admin.punches.create({ workspace: workspace.id }, input, idempotency(form)))
  return result.ok ? backTo(page, result.data, 'Punch added') : newPunchPage(page, result.form)
}

function directionOf({ form }: WorkspacePage): 'in' | 'out' {
  return form.text('direction') === 'out' ? 'out' : 'in'
}

async function editPunch(page: WorkspacePage): Promise<PageResult> {
  const punch = await page.admin.punches.get(recordRef(page))
  const at = localTime(page, punch)
  return editPage(page, newForm({ at, at_before: at, direction: takenAs(punch) }))
}

/** `in` or `out`, also for a punch that was sent without a direction. */
const takenAs = ({ action }: Punch) => (action === 'check_in' ? 'in' : 'out')

function localTime({ workspace: { zone } }: WorkspacePage, punch: Punch): string {
  const at = Date.parse(punch.at)
  return `${dayOf(at, zone)}T${clockTime(at, zone)}`
}

async function personOf({ admin, workspace }: WorkspacePage, punch: Punch): Promise<string> {
  return (await admin.employees.get({ workspace: workspace.id, id: punch.employee_id })).user.name
}

async function editPage(page: WorkspacePage, state: FormState): Promise<PageResult> {
  const punch = await page.admin.punches.get(recordRef(page))
  const path = page.link(`/attendance/punches/${punch.id}`)
  return formPage({
    title: 'Correct punch',
    crumbs: crumbsOf(page),
    intro: (
      <>
        <bdi>{await personOf(page, punch)}</bdi>. The original is kept, struck through. Times in {page.workspace.zone}.
      </>
    ),
    actions: (
      <LinkButton href={`${path}/delete`} icon="trash-2" variant="quiet">
        Delete
      </LinkButton>
    ),
    action: path,
    cancel: page.link('/attendance/punches'),
    state,
    fields: (
      <>
        <input type="hidden" name="at_before" value={state.text('at_before')} />
        <PunchFields state={state} />
      </>
    ),
    submitLabel: 'Save',
  })
}

async function correctPunch(page: WorkspacePage): Promise<PageResult> {
  const { admin, form, workspace } = page
  if (form.text('reason') === '') return editPage(page, withoutReason(page))
  // The field has no seconds: an unchanged time is not sent, so that it keeps them.
  const isMoved = form.text('at') !== form.text('at_before')
  const change = {
    direction: directionOf(page),
    reason: form.text('reason'),
    ...(isMoved ? { at: withOffset(form.text('at'), workspace.zone) } : {}),
  }
  const result = await submit(page, admin.punches.update(recordRef(page), change))
  return result.ok ? backTo(page, result.data, 'Punch corrected') : editPage(page, result.form)
}

const withoutReason = ({ form }: WorkspacePage) => refusedForm(form, { reason: ['The reason field is required.'] })

function askToDelete(page: WorkspacePage): Promise<PageResult> {
  return deletePage(page, newForm())
}

async function deletePage(page: WorkspacePage, state: FormState): Promise<PageResult> {
  const punch = await page.admin.punches.get(recordRef(page))
  return formPage({
    title: 'Delete punch',
    crumbs: crumbsOf(page),
    intro: (
      <>
        <bdi>{await personOf(page, punch)}</bdi>, {localTime(page, punch).replace('T', ' ')}, {takenAs(punch)}. It stays
        in the list, struck through, and no longer counts.
      </>
    ),
    action: page.link(`/attendance/punches/${punch.id}/delete`),
    cancel: page.link('/attendance/punches'),
    state,
    fields: <ReasonField state={state} />,
    submitLabel: 'Delete punch',
  })
}

async function deletePunch(page: WorkspacePage): Promise<PageResult> {
  const reason = textOrUndefined(page.form, 'reason')
  if (reason === undefined) return deletePage(page, withoutReason(page))
  const punch = await page.admin.punches.get(recordRef(page))
  const result = await submit(page, page.admin.punches.delete(recordRef(page), { reason }))
  return result.ok ? backTo(page, punch, 'Punch deleted') : deletePage(page, result.form)
}

const backTo = (page: WorkspacePage, punch: Punch, notice: string) =>
  redirect(urlWith(page.link('/attendance'), { day: localTime(page, punch).slice(0, 10) }), notice)

const crumbsOf = (page: WorkspacePage) => [
  { label: 'Attendance', href: page.link('/attendance') },
  { label: 'Punches', href: page.link('/attendance/punches') },
]
