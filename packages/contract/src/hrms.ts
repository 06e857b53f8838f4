import * as z from 'zod/mini'
import { openValues, paging } from './docs/decisions.ts'
import { ada, unmatchedPunch } from './docs/example-values.ts'
import {
  day,
  instant,
  instantText,
  integerId,
  listOf,
  maxTitleLength,
  open,
  optionalId,
  orNull,
  text,
} from './fields.ts'
import { type ApiRoute, apiReadRefusals, apiWriteRefusals } from './route.ts'
import type { DocsOf } from './route-docs.ts'
import { type employmentTypes, type punchActions, punchDirections } from './values.ts'

/** An employee profile (§2). */
export const Employee = z.looseObject({
  id: integerId,
  user_id: z.int(),
  employee_code: orNull(z.string()),
  attendance_uid: orNull(z.string()),
  department: orNull(z.string()),
  job_title: orNull(z.string()),
  employment_type: orNull(open<(typeof employmentTypes)[number]>()),
  joined_at: orNull(day),
  user: z.looseObject({ id: z.int(), name: z.string(), email: z.string() }),
})
export type Employee = z.infer<typeof Employee>

/** A registered attendance device (§2). `source_type` is the kind of device agent. */
export const Device = z.looseObject({
  id: integerId,
  source_type: z.string(),
  device_name: z.string(),
  external_device_id: orNull(z.string()),
})
export type Device = z.infer<typeof Device>

/**
 * The body that records a punch (§4): at least one way to find the employee and one to find the device.
 * `direction` left out means `toggle`, `timestamp` left out means now.
 */
export const NewPunch = z.object({
  employee_code: text(maxTitleLength),
  attendance_uid: text(maxTitleLength),
  user_id: optionalId,
  email: text(maxTitleLength),
  device_id: optionalId,
  external_device_id: text(maxTitleLength),
  source_type: text(maxTitleLength),
  // A literal of several values is an enum that needs no further kind of schema in the client's bundle.
  direction: z.nullish(z.literal(punchDirections)),
  /** ISO 8601 date-time with a UTC offset, e.g. `2026-11-20T09:00:00+01:00`. */
  timestamp: z.nullish(instantText),
})
export type NewPunch = z.input<typeof NewPunch>

/** A punch that was kept. The times are those of the session it belongs to; an OUT without an IN has no `check_in_at`. */
export const RecordedPunch = z.looseObject({
  recorded: z.literal(true),
  action: open<(typeof punchActions)[number]>(),
  duplicate: z.boolean(),
  user_id: z.int(),
  check_in_at: orNull(instant),
  check_out_at: orNull(instant),
  device_id: z.int(),
  punch_id: z.int(),
})
export type RecordedPunch = z.infer<typeof RecordedPunch>

/** Nobody and nothing registered matches the identifiers; the punch waits in a list until an administrator replays it. */
export const UnmatchedPunch = z.looseObject({
  recorded: z.literal(false),
  reason: open<'device_not_found' | 'employee_not_found'>(),
  hint: z.string(),
  registered_devices: z.array(Device),
})
export type UnmatchedPunch = z.infer<typeof UnmatchedPunch>

export const PunchResult = z.union([RecordedPunch, UnmatchedPunch])
export type PunchResult = z.infer<typeof PunchResult>

export const listEmployees = {
  operation: 'hrms.employees.list',
  method: 'GET',
  surface: 'api',
  path: '/workspaces/{workspace}/hrms/employees',
  scope: 'hrms:read',
  answers: { 200: listOf(Employee) },
  refusals: apiReadRefusals,
} as const satisfies ApiRoute

export const recordPunch = {
  operation: 'hrms.attendance.punch',
  method: 'POST',
  surface: 'api',
  path: '/workspaces/{workspace}/hrms/attendance/punch',
  scope: 'hrms:write',
  body: NewPunch,
  answers: { 200: PunchResult, 422: UnmatchedPunch },
  refusals: apiWriteRefusals,
} as const satisfies ApiRoute

export const hrmsRoutes = [listEmployees, recordPunch] as const satisfies readonly ApiRoute[]

/** Documentation of the HRMS routes. */
export const hrmsDocs = (): DocsOf<typeof hrmsRoutes> => ({
  'hrms.employees.list': {
    tag: 'HRMS',
    summary: 'List employee profiles',
    description: 'The newest 50 employee profiles of the workspace, newest first.',
    answers: {
      employees: {
        data: [
          {
            id: 8,
            user_id: ada.id,
            employee_code: 'E-1008',
            attendance_uid: '1008',
            department: 'Engineering',
            job_title: 'Software engineer',
            employment_type: 'full_time',
            joined_at: '2024-03-18',
            user: { ...ada, email: 'ada@northwind.test' },
          },
        ],
      },
    },
    notes: {
      does: 'Reads the newest 50 employee profiles, newest first.',
      madeBy: ['create.employee'],
      decisions: [paging, openValues('employment_type', 'full_time, part_time, contract, intern')],
    },
  },
  'hrms.attendance.punch': {
    tag: 'HRMS',
    summary: 'Record an attendance punch',
    description:
      'The body must identify an employee (`employee_code`, `attendance_uid`, `user_id` or `email`) and a device (`device_id`, or `external_device_id` with or without `source_type`). Identifiers that are given together must agree. The order of punches is that of their own times, not of their arrival; the same punch again is answered with `duplicate: true`.',
    bodies: {
      'check-in': {
        employee_code: 'E-1008',
        external_device_id: 'ZK-7F3A',
        source_type: 'zkteco',
        direction: 'in',
        timestamp: '2026-11-20T09:00:00+01:00',
      },
      toggle: { email: 'ada@northwind.test', device_id: 4 },
    },
    answers: {
      'check-in': {
        recorded: true,
        action: 'check_in',
        duplicate: false,
        user_id: ada.id,
        check_in_at: '2026-11-20T08:00:00.000000Z',
        check_out_at: null,
        device_id: 4,
        punch_id: 311,
      },
    },
    refusals: {
      422: {
        'device-not-found': unmatchedPunch,
        'timestamp-too-old': {
          message: 'The timestamp field must not be older than 31 days.',
          errors: { timestamp: ['The timestamp field must not be older than 31 days.'] },
        },
      },
    },
    notes: {
      does: 'Writes a punch and pairs it into a session, by its own time and not by its arrival.',
      madeBy: ['create.employee', 'create.device'],
      decisions: [
        {
          open: 'Unknown employee or device',
          decided:
            '422 with `recorded: false`, `reason`, `hint` and `registered_devices`; kept for an administrator to replay',
        },
        { open: 'Values of action', decided: '`check_in` and `check_out`' },
        { open: 'Identifiers that name different employees or devices', decided: '422' },
        {
          open: 'What a punch does',
          decided:
            '`toggle` closes the open session, or opens one when none is open or the open one is older than 16 h; `in` during a session keeps the first; `out` without one is kept by itself. The order is that of the punches’ own times.',
        },
        {
          open: 'What counts as a duplicate',
          decided: 'The same employee, direction and kind of device within 60 s, or the same instant',
        },
        { open: 'How old or early a punch may be', decided: '31 days back, 5 minutes ahead; else 422' },
      ],
    },
  },
})
