import { type Device, type Employee, integerId } from '@service/contract'
import type { AdminDevice, DeviceWithSecret } from '@service/contract/admin/hrms'
import { DeviceInput, type DevicePatch, EmployeeInput, type EmployeePatch } from '@service/contract/admin/hrms-input'
import { MemberInput } from '@service/contract/admin/people-input'
import * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { checkInput } from '../../core/check-input.ts'
import { conflict, notFound, validation } from '../../core/errors.ts'
import { hashSecret, newSecret } from '../../core/ids.ts'
import { defaultPage, type FoundRows, mapRows, type Page, type SearchedPage } from '../../core/pagination.ts'
import { requireRoom } from '../../store/row-limits.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { writePersonText } from '../members/name-service.ts'
import { addMember, findMember, findMemberByEmail } from '../members/service.ts'
import { getWorkspace } from '../workspaces/service.ts'
import * as queries from './queries.ts'

// The API inputs plus the workspace id, for callers without a path.

export const NewEmployee = z.extend(EmployeeInput, { workspace_id: integerId })
export type NewEmployee = z.input<typeof NewEmployee>

/** The person fields for an employee who is not yet a member. */
const NewPerson = z.omit(MemberInput, { role: true })

export const NewDevice = z.extend(DeviceInput, { workspace_id: integerId })
export type NewDevice = z.input<typeof NewDevice>

/** Employee profiles of a workspace, newest first. Without a page, the newest 50. */
export async function listEmployees(
  app: App,
  workspaceId: number,
  query: SearchedPage = defaultPage,
): Promise<FoundRows<Employee>> {
  return mapRows(await queries.listEmployees(app.store, workspaceId, query), ({ sort_key: _, ...row }) =>
    toEmployee(row),
  )
}

/** Deletes a profile without punches. The person stays a member. */
export function deleteEmployee(app: App, { workspaceId, id }: RowRef) {
  return inTransaction(app, async (app) => {
    if (!(await queries.deleteEmployee(app.db, workspaceId, id))) throw notFound('employee', id)
    return { id }
  })
}

/** Deletes a device without punches. */
export function deleteDevice(app: App, { workspaceId, id }: RowRef) {
  return inTransaction(app, async (app) => {
    if (!(await queries.deleteDevice(app.db, workspaceId, id))) throw notFound('device', id)
    return { id }
  })
}

/** The user id of any employee, for examples; undefined if there is none. */
export const findAnyEmployeeUser = async (app: App, workspaceId: number): Promise<number | undefined> =>
  (await queries.findAnyEmployee(app.db, workspaceId))?.user_id

/** Creates a profile for a member (`user_id`), or adds a new member (`name` and `email`). */
export function hireEmployee(
  app: App,
  { workspace_id, user_id, name, email, ...profile }: NewEmployee,
): Promise<Employee> {
  const unused = user_id == null ? [] : Object.entries({ name, email }).filter(([, text]) => text?.trim())
  if (unused.length > 0)
    throw validation(
      Object.fromEntries(
        unused.map(([field]) => [field, [`The ${field} field is only for a new person: a member already has one.`]]),
      ),
    )
  return inTransaction(app, async (app) => {
    const id = user_id ?? (await findOrAddMember(app, workspace_id, { name, email }))
    return createEmployee(app, { workspace_id, user_id: id, ...profile })
  })
}

async function findOrAddMember(
  app: App,
  workspace_id: number,
  { name, email }: Pick<NewEmployee, 'name' | 'email'>,
): Promise<number> {
  const person = checkInput(NewPerson, { name, email })
  const member = await findMemberByEmail(app, workspace_id, person.email)
  return member?.id ?? (await addMember(app, { workspace_id, ...person })).id
}

/** Creates an employee profile for a member. Code, attendance uid, and user are unique per workspace. */
export function createEmployee(
  app: App,
  { workspace_id, user_id, ...profile }: Omit<NewEmployee, 'user_id' | 'name' | 'email'> & { readonly user_id: number },
): Promise<Employee> {
  return inTransaction(app, async (app) => {
    if ((await findMember(app, workspace_id, user_id)) === undefined) {
      throw validation({ user_id: ['The user_id field must be a member of the workspace.'] })
    }
    const now = app.clock.now()
    const inserted = await queries.insertEmployee(app.db, {
      workspace_id,
      user_id,
      employee_code: profile.employee_code ?? null,
      attendance_uid: profile.attendance_uid ?? null,
      department: profile.department ?? null,
      job_title: profile.job_title ?? null,
      employment_type: profile.employment_type ?? null,
      joined_at: profile.joined_at ?? null,
      created_at: now,
      updated_at: now,
    })
    if (inserted === undefined) throw conflict('An employee with this user, code, or attendance uid already exists.')
    await writePersonText(app, { workspaceId: workspace_id, userId: user_id })
    return getEmployee(app, { workspaceId: workspace_id, id: inserted.id })
  })
}

export function updateEmployee(app: App, employee: RowRef, patch: EmployeePatch): Promise<Employee> {
  return inTransaction(app, async (app) => {
    await getEmployee(app, employee)
    await queries.updateEmployee(app.db, employee, { ...patch, updated_at: app.clock.now() })
    return getEmployee(app, employee)
  })
}

export async function getEmployee(app: App, { workspaceId, id }: RowRef): Promise<Employee> {
  const row = await queries.findEmployee(app.db, workspaceId, id)
  if (row === undefined) throw notFound('employee', id)
  return toEmployee(row)
}

/** Registers an attendance device. Source type and external id together are unique per workspace. */
export function registerDevice(app: App, device: NewDevice): Promise<AdminDevice> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, device.workspace_id)
    await requireRoom(app, 'devices', device.workspace_id)
    const { external_device_id = null, time_zone = null, timestamp_format = null, ...given } = device
    const clock = { time_zone, timestamp_format }
    const row = { ...given, external_device_id, ...clock, secret_hash: null, created_at: app.clock.now() }
    const inserted = await queries.insertDevice(app.db, row)
    if (inserted === undefined) throw conflict('This device is already registered.')
    return inserted
  })
}

export const listDevicesPage = (app: App, workspaceId: number, page: Page): Promise<AdminDevice[]> =>
  queries.listDevicesPage(app.db, workspaceId, page)

export async function getDevice(app: App, { workspaceId, id }: RowRef): Promise<AdminDevice> {
  const device = await queries.findDevice(app.db, workspaceId, id)
  if (device === undefined) throw notFound('device', id)
  return device
}

export function updateDevice(app: App, device: RowRef, patch: DevicePatch): Promise<AdminDevice> {
  return inTransaction(app, async (app) => {
    await getDevice(app, device)
    if (Object.keys(patch).length > 0) await queries.updateDevice(app.db, device, patch)
    return getDevice(app, device)
  })
}

/** Registers a device and issues its secret. */
export function createDevice(app: App, device: NewDevice): Promise<DeviceWithSecret> {
  return inTransaction(app, async (app) => {
    const { id } = await registerDevice(app, device)
    return issueDeviceSecret(app, { workspaceId: device.workspace_id, id })
  })
}

/** The devices as senders see them. */
export async function listDevices(app: App, workspaceId: number): Promise<Device[]> {
  return (await queries.listDevices(app.db, workspaceId)).map(toSentDevice)
}

/** The documented fields of a device (§2), without the settings of its clock. */
export const toSentDevice = ({ id, source_type, device_name, external_device_id }: Device): Device => ({
  id,
  source_type,
  device_name,
  external_device_id,
})

/** Issues a device secret, shown only in this response. The old one stops working. A seed may fix the value. */
export function issueDeviceSecret(
  app: App,
  { workspaceId, id }: RowRef,
  secret = newSecret(app.ids),
): Promise<DeviceWithSecret> {
  return inTransaction(app, async (app) => {
    const device = await queries.updateDeviceSecret(app.db, { workspaceId, id, secretHash: hashSecret(secret) })
    if (device === undefined) throw notFound('device', id)
    return { ...device, secret }
  })
}

export function findDeviceBySecretHash(app: App, workspaceId: number, secretHash: string) {
  return queries.findDeviceBySecretHash(app.db, workspaceId, secretHash)
}

function toEmployee({ user_name, user_email, ...row }: queries.EmployeeRow): Employee {
  return { ...row, user: { id: row.user_id, name: user_name, email: user_email } }
}
