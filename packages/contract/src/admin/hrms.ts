import * as z from 'zod/mini'
import { day, instant, integerId } from '../fields.ts'
import { Device, Employee, PunchResult } from '../hrms.ts'
import type { AdminRoute } from '../route.ts'
import {
  DeviceInput,
  DevicePatch,
  EmployeeInput,
  EmployeePatch,
  HoursQuery,
  PunchInput,
  PunchPatch,
  PunchRemoval,
  SessionQuery,
  timestampFormats,
} from './hrms-input.ts'
import { BodyToExplain, mappedList } from './mapping.ts'
import { pageOf, SearchQuery, wholeListOf } from './pages.ts'
import { action, actionErrorStatuses, create, list, read, remove, update, workspace } from './route-kinds.ts'

const idOrNull = z.nullable(integerId)

/** A punch as it was sent, and the result of pairing it. */
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
  /** Which instant was taken, if a local time occurs twice or not at all. */
  note: z.nullable(z.string()),
  /** Whether an administrator added, changed, or deleted it. */
  corrected: z.boolean(),
  /** Why it was added, changed, or deleted, as it was given last. */
  reason: z.nullable(z.string()),
  /** When it was deleted, or kept as the original of a correction. It no longer counts. */
  voided_at: z.nullable(instant),
  /** The corrected punch, if this is its original. */
  replaced_by: idOrNull,
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
  /** Whether a punch of this session was added, changed, or deleted by an administrator. */
  corrected: z.boolean(),
})

export type AttendanceSession = z.output<typeof AttendanceSession>

/** The hours of an employee. Its id is that of the employee. */
export const EmployeeHours = z.object({
  id: integerId,
  name: z.string(),
  /** Days with attendance. A night shift counts for the day on which it began. */
  days: z.array(
    z.object({
      day,
      /** Includes the time of an open session until now. */
      worked_seconds: z.int(),
      /** Whether the employee is checked in now, since this day. */
      checked_in: z.boolean(),
      /** Whether a session of this day is corrected, or a punch of a check-in on it was moved or deleted. */
      corrected: z.boolean(),
    }),
  ),
})

export type EmployeeHours = z.output<typeof EmployeeHours>

/** A punch whose employee or device is not registered yet. */
export const StoredUnmatchedPunch = z.object({
  id: integerId,
  reason: z.string(),
  via: z.string(),
  /** The body as it was sent. */
  punch: z.looseObject({}),
  received_at: instant,
})

export type StoredUnmatchedPunch = z.output<typeof StoredUnmatchedPunch>

/** How a punch would be taken. */
export const ExplainedPunch = z.object({
  outcome: z.enum(['recorded', 'duplicate', 'unmatched', 'ignored', 'invalid']),
  /** Why it would not be recorded. */
  reason: z.nullable(z.string()),
  /** The fields that were read; null when the body is ignored, or is no object. */
  punch: z.nullable(z.looseObject({})),
  mapped: mappedList,
})

export type ExplainedPunch = z.output<typeof ExplainedPunch>

/** A device with the settings of its clock. A null setting is that of the integration. */
export const AdminDevice = z.extend(Device, {
  time_zone: z.nullable(z.string()),
  timestamp_format: z.nullable(z.enum(timestampFormats)),
})

export type AdminDevice = z.output<typeof AdminDevice>

/** With the secret, which only this response contains. */
export const DeviceWithSecret = z.extend(AdminDevice, { secret: z.string() })

export type DeviceWithSecret = z.output<typeof DeviceWithSecret>

const employees = `${workspace}/employees` as const
const employee = `${employees}/{id}` as const
const devices = `${workspace}/devices` as const
const device = `${devices}/{id}` as const
const punches = `${workspace}/punches` as const
const punch = `${punches}/{id}` as const
const unmatched = `${workspace}/unmatched-punches` as const
const admin = { role: 'admin' } as const

export const hrmsAdminRoutes = [
  { ...list, operation: 'employees.list', path: employees, query: SearchQuery, responses: { 200: pageOf(Employee) } },
  {
    ...create,
    ...admin,
    operation: 'employees.create',
    path: employees,
    body: EmployeeInput,
    responses: { 201: Employee },
  },
  { ...read, operation: 'employees.get', path: employee, responses: { 200: Employee } },
  {
    ...update,
    ...admin,
    operation: 'employees.update',
    path: employee,
    body: EmployeePatch,
    responses: { 200: Employee },
  },
  { ...remove, ...admin, operation: 'employees.delete', path: employee },
  { ...list, operation: 'devices.list', path: devices, responses: { 200: pageOf(AdminDevice) } },
  {
    ...create,
    ...admin,
    operation: 'devices.create',
    path: devices,
    body: DeviceInput,
    responses: { 201: DeviceWithSecret },
  },
  { ...read, operation: 'devices.get', path: device, responses: { 200: AdminDevice } },
  {
    ...update,
    ...admin,
    operation: 'devices.update',
    path: device,
    body: DevicePatch,
    responses: { 200: AdminDevice },
  },
  { ...remove, ...admin, operation: 'devices.delete', path: device },
  {
    ...action,
    ...admin,
    operation: 'devices.rotateSecret',
    path: `${device}/rotate-secret`,
    responses: { 200: DeviceWithSecret },
  },
  { ...list, operation: 'punches.list', path: punches, responses: { 200: pageOf(Punch) } },
  { ...create, ...admin, operation: 'punches.create', path: punches, body: PunchInput, responses: { 201: Punch } },
  { ...read, operation: 'punches.get', path: punch, responses: { 200: Punch } },
  { ...update, ...admin, operation: 'punches.update', path: punch, body: PunchPatch, responses: { 200: Punch } },
  {
    ...remove,
    ...admin,
    operation: 'punches.delete',
    path: punch,
    query: PunchRemoval,
    errorStatuses: [...actionErrorStatuses, 422],
  },
  {
    ...list,
    operation: 'attendance.sessions',
    path: `${workspace}/attendance-sessions`,
    query: SessionQuery,
    responses: { 200: pageOf(AttendanceSession) },
  },
  {
    ...list,
    operation: 'attendance.hours',
    path: `${workspace}/attendance-hours`,
    query: HoursQuery,
    responses: { 200: pageOf(EmployeeHours) },
  },
  {
    ...create,
    ...admin,
    operation: 'attendance.explain',
    path: `${workspace}/attendance/explain`,
    body: BodyToExplain,
    responses: { 200: wholeListOf(ExplainedPunch) },
    audited: false,
  },
  { ...list, operation: 'attendance.unmatched', path: unmatched, responses: { 200: pageOf(StoredUnmatchedPunch) } },
  {
    ...action,
    operation: 'attendance.replay',
    path: `${unmatched}/{id}/replay`,
    responses: { 200: PunchResult },
    errorStatuses: [...actionErrorStatuses, 422],
  },
] as const satisfies readonly AdminRoute[]
