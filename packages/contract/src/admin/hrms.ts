import * as z from 'zod/mini'
import { ada, frontDoor, unmatchedPunch } from '../docs/example-values.ts'
import { day, instant, integerId } from '../fields.ts'
import { Device, Employee, PunchResult } from '../hrms.ts'
import type { AdminRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
import { DeviceInput, DevicePatch, EmployeeInput, EmployeePatch, EmployeeQuery, SessionQuery } from './hrms-input.ts'
import { actionRefusals, Changed, listRefusals, PageQuery, pageOf, readRefusals, writeRefusals } from './pages.ts'

const idOrNull = z.nullable(integerId)

/** A punch as it was sent, with what pairing made of it. */
export const Punch = z.object({
  id: integerId,
  employee_id: integerId,
  device_id: integerId,
  /** The device's `source_type`: a double tap on two devices of one system is one punch. */
  device_family: z.string(),
  direction: z.string(),
  at: instant,
  /** The UTC offset that the punch was sent with. */
  offset_minutes: z.int(),
  /** `api`, `webhook`, `replay` or `admin`. */
  via: z.string(),
  received_at: instant,
  action: z.string(),
  duplicate_of: idOrNull,
  /** An OUT without an open session. */
  orphan: z.boolean(),
  session_id: idOrNull,
})
export type Punch = z.output<typeof Punch>

/** An attendance session. Its id is that of the punch that opened it. */
export const AttendanceSession = z.object({
  id: integerId,
  employee_id: integerId,
  check_in_at: instant,
  check_out_punch_id: idOrNull,
  check_out_at: z.nullable(instant),
  /** Local day of the check-in. */
  day,
})
export type AttendanceSession = z.output<typeof AttendanceSession>

/** A punch that waits for its person or device. */
export const WaitingPunch = z.object({
  id: integerId,
  reason: z.string(),
  via: z.string(),
  /** The body as it was sent. */
  punch: z.looseObject({}),
  received_at: instant,
})
export type WaitingPunch = z.output<typeof WaitingPunch>

/** With the secret, which is in this answer and in no other. */
export const DeviceWithSecret = z.extend(Device, { secret: z.string() })
export type DeviceWithSecret = z.output<typeof DeviceWithSecret>

const workspace = '/workspaces/{workspace}'
const list = { method: 'GET', surface: 'admin', role: 'viewer', query: PageQuery, refusals: listRefusals } as const
const read = { method: 'GET', surface: 'admin', role: 'viewer', refusals: readRefusals } as const
const create = { method: 'POST', surface: 'admin', role: 'admin', refusals: writeRefusals } as const
const remove = { method: 'DELETE', surface: 'admin', role: 'admin', refusals: actionRefusals } as const
const update = { method: 'PATCH', surface: 'admin', role: 'admin', refusals: writeRefusals } as const

export const hrmsAdminRoutes = [
  {
    ...list,
    operation: 'employees.list',
    path: `${workspace}/employees`,
    query: EmployeeQuery,
    answers: { 200: pageOf(Employee) },
  },
  {
    ...create,
    operation: 'employees.create',
    path: `${workspace}/employees`,
    body: EmployeeInput,
    answers: { 201: Employee },
  },
  { ...read, operation: 'employees.get', path: `${workspace}/employees/{id}`, answers: { 200: Employee } },
  {
    ...update,
    operation: 'employees.update',
    path: `${workspace}/employees/{id}`,
    body: EmployeePatch,
    answers: { 200: Employee },
  },
  { ...remove, operation: 'employees.delete', path: `${workspace}/employees/{id}`, answers: { 200: Changed } },
  { ...list, operation: 'devices.list', path: `${workspace}/devices`, answers: { 200: pageOf(Device) } },
  {
    ...create,
    operation: 'devices.create',
    path: `${workspace}/devices`,
    body: DeviceInput,
    answers: { 201: DeviceWithSecret },
  },
  { ...read, operation: 'devices.get', path: `${workspace}/devices/{id}`, answers: { 200: Device } },
  {
    ...update,
    operation: 'devices.update',
    path: `${workspace}/devices/{id}`,
    body: DevicePatch,
    answers: { 200: Device },
  },
  { ...remove, operation: 'devices.delete', path: `${workspace}/devices/{id}`, answers: { 200: Changed } },
  {
    operation: 'devices.rotateSecret',
    method: 'POST',
    surface: 'admin',
    path: `${workspace}/devices/{id}/rotate-secret`,
    role: 'admin',
    answers: { 200: DeviceWithSecret },
    refusals: actionRefusals,
  },
  {
    ...list,
    operation: 'attendance.punches',
    path: '/workspaces/{workspace}/punches',
    answers: { 200: pageOf(Punch) },
  },
  {
    ...list,
    operation: 'attendance.sessions',
    path: '/workspaces/{workspace}/attendance-sessions',
    query: SessionQuery,
    answers: { 200: pageOf(AttendanceSession) },
  },
  {
    ...list,
    operation: 'attendance.unmatched',
    path: '/workspaces/{workspace}/unmatched-punches',
    answers: { 200: pageOf(WaitingPunch) },
  },
  {
    operation: 'attendance.replay',
    method: 'POST',
    surface: 'admin',
    path: '/workspaces/{workspace}/unmatched-punches/{id}/replay',
    role: 'member',
    answers: { 200: PunchResult },
    refusals: [...actionRefusals, 422],
  },
] as const satisfies readonly AdminRoute[]

const employee = {
  id: 8,
  user_id: ada.id,
  employee_code: 'E-1008',
  attendance_uid: '1008',
  department: 'Engineering',
  job_title: 'Software engineer',
  employment_type: 'full_time',
  joined_at: '2024-03-18',
  user: { ...ada, email: 'ada@northwind.test' },
}

/** Documentation of the administration of employees, devices and attendance. */
export const hrmsAdminDocs = (): DocsOf<typeof hrmsAdminRoutes> => ({
  'employees.list': {
    tag: 'Attendance',
    summary: 'List employees',
    description: 'Employee profiles, newest first; `search` is a part of the name, the e-mail address or the code.',
    answers: { employees: { data: [employee], next_before: null } },
  },
  'employees.delete': {
    tag: 'Attendance',
    summary: 'Delete an employee',
    description: 'The person stays a member. An employee with punches is 409.',
  },
  'devices.delete': {
    tag: 'Attendance',
    summary: 'Delete a device',
    description: 'A device from which punches came is 409.',
  },
  'employees.create': {
    tag: 'Attendance',
    summary: 'Create an employee',
    description:
      'The profile of a member (`user_id`), or of somebody who becomes one (`name` and `email`). User, code and attendance uid are unique in a workspace (409).',
    bodies: {
      'new-person': { name: 'Ada Obi', email: 'ada@northwind.test', employee_code: 'E-1008' },
      'of-a-member': { user_id: ada.id, employee_code: 'E-1008', attendance_uid: '1008', department: 'Engineering' },
    },
    answers: { created: employee },
  },
  'employees.get': { tag: 'Attendance', summary: 'Get an employee', answers: { employee } },
  'employees.update': {
    tag: 'Attendance',
    summary: 'Change an employee',
    description: 'A field that is left out stays, null empties it.',
    bodies: { department: { department: 'Research' } },
    answers: { employee: { ...employee, department: 'Research' } },
  },
  'devices.list': {
    tag: 'Attendance',
    summary: 'List devices',
    description: 'Attendance devices, newest first.',
    answers: { devices: { data: [frontDoor], next_before: null } },
  },
  'devices.create': {
    tag: 'Attendance',
    summary: 'Register a device',
    description:
      'The secret, which the device may send as `X-Device-Secret`, is in this answer and in no other. Kind and external id together are unique in a workspace (409).',
    bodies: { device: { source_type: 'zkteco', device_name: 'Front door', external_device_id: 'ZK-7F3A' } },
    answers: { created: { ...frontDoor, secret: 'YQ3bV8wq2LxT5rYbZ7mC4dPfH9sGaEuQ' } },
  },
  'devices.get': { tag: 'Attendance', summary: 'Get a device', answers: { device: frontDoor } },
  'devices.update': {
    tag: 'Attendance',
    summary: 'Rename a device',
    bodies: { name: { device_name: 'Back door' } },
    answers: { device: { ...frontDoor, device_name: 'Back door' } },
  },
  'devices.rotateSecret': {
    tag: 'Attendance',
    summary: 'Issue a new device secret',
    description: 'The secret is in this answer and in no other; the one before stops at once.',
    answers: { device: { ...frontDoor, secret: 'YQ3bV8wq2LxT5rYbZ7mC4dPfH9sGaEuQ' } },
  },
  'attendance.punches': {
    tag: 'Attendance',
    summary: 'List punches',
    description: 'Every punch as it was sent, with what pairing made of it, newest arrival first.',
    answers: {
      punches: {
        data: [
          {
            id: 311,
            employee_id: 8,
            device_id: 4,
            device_family: 'zkteco',
            direction: 'in',
            at: '2026-11-20T08:00:00.000000Z',
            offset_minutes: 60,
            via: 'webhook',
            received_at: '2026-11-20T08:00:01.250000Z',
            action: 'check_in',
            duplicate_of: null,
            orphan: false,
            session_id: 311,
          },
        ],
        next_before: null,
      },
    },
  },
  'attendance.sessions': {
    tag: 'Attendance',
    summary: 'List attendance sessions',
    description:
      'Sessions that punches make, newest first; of one employee with `employee_id`, of the local day on which they began with `day`. The id is that of the punch that opened the session.',
    answers: {
      sessions: {
        data: [
          {
            id: 311,
            employee_id: 8,
            check_in_at: '2026-11-20T08:00:00.000000Z',
            check_out_punch_id: null,
            check_out_at: null,
            day: '2026-11-20',
          },
        ],
        next_before: null,
      },
    },
  },
  'attendance.unmatched': {
    tag: 'Attendance',
    summary: 'List punches that match nobody',
    description: 'Punches of unknown employees or devices, stored until they are replayed, newest first.',
    answers: {
      waiting: {
        data: [
          {
            id: 2,
            reason: 'device_not_found',
            via: 'webhook',
            punch: { employee_code: 'E-1008', external_device_id: 'ZK-7F3A', direction: 'in' },
            received_at: '2026-11-20T08:00:01.250000Z',
          },
        ],
        next_before: null,
      },
    },
  },
  'attendance.replay': {
    tag: 'Attendance',
    summary: 'Replay a punch',
    description:
      'Records the punch, once its employee and device are registered. It is answered as a punch of the API.',
    answers: { 'still-unknown': unmatchedPunch },
  },
})
