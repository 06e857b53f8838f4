import * as z from 'zod/mini'
import {
  dateFilter,
  dayText,
  emailText,
  maxTitleLength,
  optionalDate,
  optionalId,
  optionalOpen,
  requiredText,
  text,
} from '../fields.ts'
import type { employmentTypes } from '../values.ts'
import { idFilter, pageQuery } from './pages.ts'

const profile = {
  employee_code: text(maxTitleLength),
  attendance_uid: text(maxTitleLength),
  department: text(maxTitleLength),
  job_title: text(maxTitleLength),
  employment_type: optionalOpen<(typeof employmentTypes)[number]>(),
  joined_at: optionalDate,
}

/** The profile of a member (`user_id`), or of a new member (`name` and `email`). */
export const EmployeeInput = z.object({
  user_id: optionalId,
  name: text(maxTitleLength),
  email: z.nullish(emailText),
  ...profile,
})

/** Changes to a profile. Omitted fields keep their values; null clears a field. */
export const EmployeePatch = z.object(profile)
export type EmployeePatch = z.input<typeof EmployeePatch>

/** `source_type` is the kind of device agent, such as `zkteco`; with the external id it is unique in a workspace. */
export const DeviceInput = z.object({
  source_type: requiredText(maxTitleLength),
  device_name: requiredText(maxTitleLength),
  external_device_id: text(maxTitleLength),
})
export type DeviceInput = z.input<typeof DeviceInput>

export const DevicePatch = z.object({ device_name: z.optional(requiredText(maxTitleLength)) })
export type DevicePatch = z.input<typeof DevicePatch>

/** Filters a list of employees. */
export const EmployeeQuery = z.object({ ...pageQuery, search: z.optional(requiredText(maxTitleLength)) })

/** Filters a list of attendance sessions. A session must match all of them. */
export const SessionQuery = z.object({
  ...pageQuery,
  employee_id: idFilter,
  /** The local day on which they began. */
  day: dateFilter,
})

/** The first and the last day that hours are counted for. */
export const HoursQuery = z.object({ ...pageQuery, from: dayText, to: dayText })
