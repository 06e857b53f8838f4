import type { Device, Employee } from '@service/contract'
import { conflict, notFound, validation } from '../../api-error.ts'
import type { App } from '../../context.ts'
import { hashSecret, newSecret } from '../../secrets.ts'
import { inTransaction } from '../../store/transaction.ts'
import { findMember } from '../members/service.ts'
import { getWorkspace } from '../workspaces/service.ts'
import type { EmployeePatch, NewDevice, NewEmployee } from './input.ts'
import * as queries from './queries.ts'

/** The newest 50 employee profiles of a workspace, newest first. */
export async function listEmployees(app: App, workspaceId: number): Promise<Employee[]> {
  return (await queries.listNewestEmployees(app.db, workspaceId)).map(toEmployee)
}

/** Gives a member of the workspace an employee profile. Code, attendance uid and user are unique in a workspace. */
export function createEmployee(app: App, { workspace_id, user_id, ...profile }: NewEmployee): Promise<Employee> {
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
    if (inserted === undefined) throw conflict('An employee with this user, code or attendance uid exists already.')
    return getEmployee(app, workspace_id, inserted.id)
  })
}

export function updateEmployee(
  app: App,
  { workspaceId, id }: { workspaceId: number; id: number },
  patch: EmployeePatch,
): Promise<Employee> {
  return inTransaction(app, async (app) => {
    await getEmployee(app, workspaceId, id)
    const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
    await queries.updateEmployee(app.db, id, { ...given, updated_at: app.clock.now() })
    return getEmployee(app, workspaceId, id)
  })
}

async function getEmployee(app: App, workspaceId: number, id: number): Promise<Employee> {
  const row = await queries.findEmployee(app.db, workspaceId, id)
  if (row === undefined) throw notFound('employee', id)
  return toEmployee(row)
}

/** Registers an attendance device. Kind and external id together are unique in a workspace. */
export function registerDevice(app: App, { external_device_id, ...device }: NewDevice): Promise<Device> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, device.workspace_id)
    const row = {
      ...device,
      external_device_id: external_device_id ?? null,
      secret_hash: null,
      created_at: app.clock.now(),
    }
    const inserted = await queries.insertDevice(app.db, row)
    if (inserted === undefined) throw conflict('This device is registered already.')
    return inserted
  })
}

export function listDevices(app: App, workspaceId: number): Promise<Device[]> {
  return queries.listDevices(app.db, workspaceId)
}

/** Issues a device's own secret, shown in this answer only; an older one stops at once. A seed may pin it. */
export function issueDeviceSecret(
  app: App,
  { workspaceId, id }: { workspaceId: number; id: number },
  secret = newSecret(app.ids),
): Promise<Device & { readonly secret: string }> {
  return inTransaction(app, async (app) => {
    const device = await queries.updateDeviceSecret(app.db, { workspaceId, id, secretHash: hashSecret(secret) })
    if (device === undefined) throw notFound('device', id)
    return { ...device, secret }
  })
}

/** The device that has this secret, in this workspace. */
export function findDeviceBySecretHash(app: App, workspaceId: number, secretHash: string) {
  return queries.findDeviceBySecretHash(app.db, workspaceId, secretHash)
}

function toEmployee({ user_name, user_email, ...row }: queries.EmployeeRow): Employee {
  return { ...row, user: { id: row.user_id, name: user_name, email: user_email } }
}
