import * as z from 'zod/mini'
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
import { type ApiRoute, apiRead, apiWrite } from './route.ts'
import { type employmentTypes, type punchActions, punchDirections } from './values.ts'

/** An employee profile (§2). */
export const Employee = z.looseObject({
  id: integerId,
  user_id: z.int(),
  employee_code: orNull(z.string()),
  /** The employee's id on attendance devices. */
  attendance_uid: orNull(z.string()),
  department: orNull(z.string()),
  job_title: orNull(z.string()),
  employment_type: orNull(open<(typeof employmentTypes)[number]>()),
  /** A day, `YYYY-MM-DD`. */
  joined_at: orNull(day),
  user: z.looseObject({ id: z.int(), name: z.string(), email: z.string() }),
})

export type Employee = z.infer<typeof Employee>

/** A registered attendance device (§2). */
export const Device = z.looseObject({
  id: integerId,
  /** The kind of device agent. */
  source_type: z.string(),
  device_name: z.string(),
  external_device_id: orNull(z.string()),
})

export type Device = z.infer<typeof Device>

/** The fields of a new punch (§4). They must identify the employee and the device. */
export const NewPunch = z.object({
  employee_code: text(maxTitleLength),
  attendance_uid: text(maxTitleLength),
  user_id: optionalId,
  email: text(maxTitleLength),
  device_id: optionalId,
  external_device_id: text(maxTitleLength),
  source_type: text(maxTitleLength),
  /** Defaults to `toggle`. */
  // A literal with several values works like an enum, without adding another kind of schema to the client's bundle.
  direction: z.nullish(z.literal(punchDirections)),
  /** With a UTC offset, e.g. `2026-11-20T09:00:00+01:00`. Defaults to now. */
  timestamp: z.nullish(instantText),
})

export type NewPunch = z.input<typeof NewPunch>

/** A recorded punch. The times are those of its session. */
export const RecordedPunch = z.looseObject({
  recorded: z.literal(true),
  action: open<(typeof punchActions)[number]>(),
  /** The same punch was recorded before, and this is that one. */
  duplicate: z.boolean(),
  user_id: z.int(),
  /** UTC with microseconds; null for an OUT without an IN. */
  check_in_at: orNull(instant),
  /** UTC with microseconds; null while the session lasts. */
  check_out_at: orNull(instant),
  device_id: z.int(),
  punch_id: z.int(),
})

export type RecordedPunch = z.infer<typeof RecordedPunch>

/**
 * The punch was refused: it matches no registered employee or device, and is kept until an administrator replays it. The
 * platform may refuse a punch for another reason, without a hint and devices.
 */
export const UnmatchedPunch = z.looseObject({
  recorded: z.literal(false),
  reason: open<'device_not_found' | 'employee_not_found'>(),
  /** A sentence that says what to do. */
  hint: orNull(z.string()),
  registered_devices: orNull(z.array(Device)),
})

export type UnmatchedPunch = z.infer<typeof UnmatchedPunch>

/** The result of a punch. `recorded` tells them apart. */
export const PunchResult = z.union([RecordedPunch, UnmatchedPunch])

export type PunchResult = z.infer<typeof PunchResult>

export const listEmployees = {
  ...apiRead,
  operation: 'hrms.employees.list',
  path: '/workspaces/{workspace}/hrms/employees',
  scope: 'hrms:read',
  responses: { 200: listOf(Employee) },
} as const satisfies ApiRoute

export const recordPunch = {
  ...apiWrite,
  operation: 'hrms.attendance.punch',
  path: '/workspaces/{workspace}/hrms/attendance/punch',
  scope: 'hrms:write',
  body: NewPunch,
  responses: { 200: PunchResult, 422: UnmatchedPunch },
} as const satisfies ApiRoute

export const hrmsRoutes = [listEmployees, recordPunch] as const satisfies readonly ApiRoute[]
