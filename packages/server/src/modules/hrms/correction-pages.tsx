import type { Punch } from '@service/contract/admin/hrms'
import type { Child } from 'hono/jsx'
import { twoDigits } from '../../core/clock.ts'
import { localDay } from '../../core/zones.ts'
import { LinkButton } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import { SelectField, TextField } from '../../ui/components/form.tsx'
import { formPage } from '../../ui/components/form-page.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { TypedTexts } from '../../ui/error-pages.tsx'
import { clockTime } from '../../ui/format.ts'
import {
  type FormState,
  idempotency,
  newForm,
  numberOrUndefined,
  refusedForm,
  submit,
  textOrUndefined,
  urlWith,
  withStoredValues,
} from '../../ui/forms.ts'
import {
  type PageResult,
  recordRef,
  redirect,
  show,
  type WorkspacePage,
  type WorkspacePages,
} from '../../ui/page-types.ts'
import { maxNames, offeredOptions } from '../../ui/resource/fields.tsx'
import { ifUnchanged, readVersioned, type Versioned } from '../../ui/versions.ts'
import { readDeviceTime } from './attendance/device-time.ts'
import { dayIn, NoEmployees } from './attendance-pages.tsx'

// Adding, correcting, and deleting punches. Times are those of the workspace.

export const correctionPages: WorkspacePages = [
  { method: 'GET', path: '/attendance/punches/new', role: 'admin', creates: 'punch', handle: newPunch },
  { method: 'POST', path: '/attendance/punches', role: 'admin', handle: addPunch },
  { method: 'GET', path: '/attendance/punches/{id}/edit', role: 'admin', handle: editPunch },
  { method: 'POST', path: '/attendance/punches/{id}', role: 'admin', handle: correctPunch },
  { method: 'GET', path: '/attendance/punches/{id}/delete', role: 'admin', handle: askToDelete },
  { method: 'POST', path: '/attendance/punches/{id}/delete', role: 'admin', handle: deletePunch },
]

async function newPunch(page: WorkspacePage): Promise<PageResult> {
  const { zone } = page.workspace
  const missing = await findMissing(page)
  if (missing !== undefined) return show({ title: 'Add punch', crumbs: crumbsOf(page), body: withHeading(missing) })
  const time = clockTime(page.now, zone)
  const at = `${dayIn(page.query.text('day')) ?? localDay(page.now, zone)}T${time}`
  return newPunchPage(page, newForm({ at, direction: 'in', employee_id: page.query.text('employee_id') }))
}

const withHeading = (body: Child) => (
  <>
    <PageHead title="Add punch" />
    {body}
  </>
)

/** What a workspace needs before its first punch. */
async function findMissing(page: WorkspacePage): Promise<Child | undefined> {
  const { admin, workspace } = page
  const [employees, devices] = await Promise.all([
    admin.employees.list({ workspace: workspace.id }, { limit: 1 }),
    admin.devices.list({ workspace: workspace.id }),
  ])
  if (employees.data.length === 0) return <NoEmployees page={page} />
  if (devices.data.length > 0) return undefined
  return (
    <Empty
      icon="clock"
      title="No devices yet"
      actions={<LinkButton href={page.link('/attendance/devices/new')}>New device</LinkButton>}
    >
      Each punch belongs to a device, also one that is added by hand.
    </Empty>
  )
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
          hint={
            <>
              Each <a href={page.link('/employees')}>employee's page</a> has the same button.
            </>
          }
          options={[
            { value: '', label: 'Choose' },
            ...offeredOptions(await employeesFor(page, Number(state.text('employee_id')))),
          ]}
          state={state}
        />
        <PunchFields state={state} />
      </>
    ),
    submitLabel: 'Add punch',
  })
}

/** The newest employees, and the chosen one. The code tells two people with one name apart. */
async function employeesFor({ admin, workspace: { id: workspace } }: WorkspacePage, chosen: number) {
  const newest = await admin.employees.list({ workspace }, { limit: 200 }).all({ limit: maxNames })
  const isListed = chosen === 0 || newest.some(({ id }) => id === chosen)
  const found = isListed ? undefined : await admin.employees.get({ workspace, id: chosen }).safe()
  return [...newest, ...(found?.ok ? [found.data] : [])]
    .map(({ id, user, employee_code: code }) => ({ id, name: code === null ? user.name : `${user.name} (${code})` }))
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
  const { at, note } = readTime(page)
  const input = {
    employee_id: numberOrUndefined(form, 'employee_id') ?? 0,
    direction: readDirection(page),
    at,
    reason: form.text('reason'),
  }
  const own = input.employee_id === 0 ? { employee_id: ['Choose an employee.'] } : {}
  const result = await submit(page, admin.punches.create({ workspace: workspace.id }, input, idempotency(form)), own)
  if (!result.ok) return newPunchPage(page, result.form)
  return backTo(page, result.data, await withDuplicate(page, result.data, `Punch added${note}`))
}

/** The notice of a stored punch, which also says if the punch is a duplicate. */
async function withDuplicate({ admin, workspace }: WorkspacePage, { duplicate_of: id }: Punch, notice: string) {
  if (id === null) return notice
  const original = await admin.punches.get({ workspace: workspace.id, id })
  const time = clockTime(Date.parse(original.at), workspace.zone)
  return `${notice.replace(/\.$/, '')}. It is a duplicate of the punch at ${time} and does not count.`
}

/** The time in the field with the workspace's UTC offset, and a note if the time occurs twice or not at all. */
function readTime({ form, workspace: { zone } }: WorkspacePage): { readonly at: string; readonly note: string } {
  const text = form.text('at')
  const time = readDeviceTime(text, { time_zone: zone, timestamp_format: 'iso_local' })
  if (typeof time === 'string') return { at: text, note: '' }
  const { offsetMinutes, note } = time
  const local = new Date(time.at / 1000 + offsetMinutes * 60_000).toISOString().slice(0, -1)
  const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60].map(twoDigits)
  return { at: `${local}${offsetMinutes < 0 ? '-' : '+'}${hours}:${minutes}`, note: note === null ? '' : `. ${note}` }
}

function readDirection({ form }: WorkspacePage): 'in' | 'out' {
  return form.text('direction') === 'out' ? 'out' : 'in'
}

async function editPunch(page: WorkspacePage): Promise<PageResult> {
  const edited = await editedPunch(page)
  return editPage(page, newForm(toValues(page, edited.data)), edited)
}

const editedPunch = (page: WorkspacePage) => readVersioned(page.admin.punches.get(recordRef(page)))

const toValues = (page: WorkspacePage, punch: Punch) => ({ at: localTime(page, punch), direction: takenAs(punch) })

/** `in` or `out`, also for a punch that was sent without a direction. */
const takenAs = ({ action }: Punch) => (action === 'check_in' ? 'in' : 'out')

function localTime({ workspace: { zone } }: WorkspacePage, punch: Punch): string {
  const at = Date.parse(punch.at)
  return `${localDay(at, zone)}T${clockTime(at, zone)}`
}

async function getPersonName({ admin, workspace }: WorkspacePage, punch: Punch): Promise<string> {
  return (await admin.employees.get({ workspace: workspace.id, id: punch.employee_id })).user.name
}

async function editPage(page: WorkspacePage, state: FormState, edited: Versioned<Punch>): Promise<PageResult> {
  const { data: punch, version } = edited
  if (punch.voided_at !== null) return noLongerCounts(page, punch, state.status)
  const path = page.link(`/attendance/punches/${punch.id}`)
  return formPage({
    title: 'Correct punch',
    crumbs: crumbsOf(page),
    intro: (
      <>
        <bdi>{await getPersonName(page, punch)}</bdi>. The original is kept, struck through. Times in{' '}
        {page.workspace.zone}.
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
    version,
    fields: (
      <>
        <input type="hidden" name="at_before" value={localTime(page, punch)} />
        <PunchFields state={state} />
      </>
    ),
    submitLabel: 'Save',
  })
}

/** A punch without a form: the original of a correction, or a deleted punch. */
async function noLongerCounts(page: WorkspacePage, punch: Punch, status: number): Promise<PageResult> {
  const { replaced_by } = punch
  const [title, sentence] =
    replaced_by === null ? ['Deleted punch', 'was deleted'] : ['Original punch', 'is the original of a correction']
  const day = localTime(page, punch).slice(0, 10)
  const add = { day, employee_id: String(punch.employee_id) }
  return show({
    title,
    crumbs: crumbsOf(page),
    status: status === 200 ? 200 : 409,
    body: (
      <>
        <PageHead
          title={title}
          actions={
            replaced_by === null ? (
              <LinkButton href={urlWith(page.link('/attendance/punches/new'), add)}>Add punch</LinkButton>
            ) : (
              <LinkButton href={page.link(`/attendance/punches/${replaced_by}/edit`)}>
                Open the corrected punch
              </LinkButton>
            )
          }
        >
          The punch of <bdi>{await getPersonName(page, punch)}</bdi>, {localTime(page, punch).replace('T', ' ')},{' '}
          {sentence}. It can't be changed.
        </PageHead>
        {punch.reason !== null && <Facts facts={[['Reason', punch.reason]]} />}
        {status !== 200 && <TypedTexts form={page.form} />}
      </>
    ),
  })
}

async function correctPunch(page: WorkspacePage): Promise<PageResult> {
  const { admin, form } = page
  if (form.text('reason') === '') {
    const { data } = await editedPunch(page)
    return editPage(page, withoutReason(page), { data, version: form.text('version') || undefined })
  }
  // The field has no seconds: an unchanged time is not sent, so that it keeps them.
  const isMoved = form.text('at') !== form.text('at_before')
  const { at, note } = isMoved ? readTime(page) : { at: undefined, note: '' }
  const change = { direction: readDirection(page), reason: form.text('reason'), at }
  const result = await submit(page, admin.punches.update(recordRef(page), change, ifUnchanged(form)))
  if (result.ok) return backTo(page, result.data, await withDuplicate(page, result.data, `Punch corrected${note}`))
  const edited = await editedPunch(page)
  const stored = { ...toValues(page, edited.data), reason: edited.data.reason ?? '' }
  return editPage(page, withStoredValues(form, result.form, stored), edited)
}

const withoutReason = ({ form }: WorkspacePage) => refusedForm(form, { reason: ['The reason field is required.'] })

function askToDelete(page: WorkspacePage): Promise<PageResult> {
  return deletePage(page, newForm())
}

async function deletePage(page: WorkspacePage, state: FormState): Promise<PageResult> {
  const punch = await page.admin.punches.get(recordRef(page))
  if (punch.voided_at !== null) return noLongerCounts(page, punch, state.status)
  return formPage({
    title: 'Delete punch',
    crumbs: crumbsOf(page),
    intro: (
      <>
        <bdi>{await getPersonName(page, punch)}</bdi>, {localTime(page, punch).replace('T', ' ')}, {takenAs(punch)}. It
        stays in the list, struck through, and no longer counts.
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
