import type { Server } from '../src/index.ts'
import { call, seedWorkspace } from './workspace.ts'

/** A workspace with one employee, two doors of one system, and a phone. */
export async function seedSite(server: Server, options: { name?: string; timeZone?: string } = {}) {
  const seeded = await seedWorkspace(server, options)
  const workspace_id = seeded.workspace.id
  const device = async (source_type: string, device_name: string, external_device_id: string) => {
    const given = { source_type, device_name, external_device_id }
    const { secret: _, ...device } = await server.admin.devices.create({ workspace: workspace_id }, given)
    return device
  }
  const employee = await server.admin.employees.create(
    { workspace: workspace_id },
    { user_id: seeded.member.id, employee_code: 'E-1', attendance_uid: '1001' },
  )
  return {
    ...seeded,
    employee,
    front: await device('zkteco', 'Front door', 'DOOR-1'),
    back: await device('zkteco', 'Back door', 'DOOR-2'),
    phone: await device('mobile', 'Phone', 'PHONE-1'),
  }
}

export type Site = Awaited<ReturnType<typeof seedSite>>

/** Sends a punch of the employee at the front door; `fields` overrides the defaults. */
export const punch = (server: Server, { workspace, token }: Site, fields: object) =>
  call(server, {
    method: 'POST',
    path: `/api/v1/workspaces/${workspace.id}/hrms/attendance/punch`,
    token,
    body: { employee_code: 'E-1', external_device_id: 'DOOR-1', ...fields },
  })

/** The times and days of attendance sessions, in order of time. */
export async function sessionsOf(server: Server, { workspace }: Site, employeeId?: number) {
  const sessions = await listSessions(server, workspace.id)
  return sessions
    .filter(({ employee_id }) => employeeId === undefined || employee_id === employeeId)
    .map(({ check_in_at, check_out_at, day }) => ({ in: check_in_at, out: check_out_at, day }))
    .sort((a, b) => (a.in < b.in ? -1 : 1))
}

/** All attendance sessions of a workspace. */
export const listSessions = (server: Server, workspaceId: number) =>
  server.admin.attendance.sessions({ workspace: workspaceId }, { limit: 200 }).all()

/** `2026-11-20T09:00:00.000000Z` for `2026-11-20 09:00`. */
export const utc = (minute: string) => `${minute.replace(' ', 'T')}:00.000000Z`
