import * as z from 'zod/mini'
import { day, instant, integerId } from '../fields.ts'
import { Device, Employee, PunchResult } from '../hrms.ts'
import type { AdminRoute } from '../route.ts'
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
