import * as z from 'zod/mini'
import {
  dateFilter,
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

/** The profile of a member (`user_id`), or of somebody who becomes one (`name` and `email`). */
export const EmployeeInput = z.object({
  user_id: optionalId,
  name: text(maxTitleLength),
  email: z.nullish(emailText),
  ...profile,
})

/** What may change of a profile. A field left out stays; null empties it. */
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

/** Which employees of a list. */
export const EmployeeQuery = z.object({ ...pageQuery, search: z.optional(requiredText(maxTitleLength)) })

/** Which attendance sessions of a list: those that pass all of these. */
export const SessionQuery = z.object({
  ...pageQuery,
  employee_id: idFilter,
  /** The local day on which they began. */
  day: dateFilter,
})
