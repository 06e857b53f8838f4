import * as z from 'zod/mini'
import {
  dateFilter,
  dayText,
  emailText,
  instantText,
  integerId,
  maxTitleLength,
  optionalDate,
  optionalId,
  optionalOpen,
  requiredText,
  text,
} from '../fields.ts'
import type { employmentTypes } from '../values.ts'
import { idFilter, pageQuery } from './pages.ts'
import { timeZone } from './time-zone.ts'

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

/** How a clock writes a time without a UTC offset, e.g. `2026-11-20 09:00:00`, `20/11/2026 09:00`, `11/20/2026 09:00`. */
export const timestampFormats = ['iso_local', 'dmy', 'mdy', 'epoch_seconds', 'epoch_ms'] as const
export type TimestampFormat = (typeof timestampFormats)[number]

/** How times without a UTC offset are read. The webhook refuses them without these settings. */
export const clockPatch = {
  /** The IANA time zone of the clock. */
  time_zone: z.optional(z.nullable(timeZone)),
  timestamp_format: z.optional(z.nullable(z.enum(timestampFormats))),
}

/** `source_type` is the kind of device agent, such as `zkteco`; with the external id it is unique in a workspace. */
export const DeviceInput = z.object({
  source_type: requiredText(maxTitleLength),
  device_name: requiredText(maxTitleLength),
  external_device_id: text(maxTitleLength),
  ...clockPatch,
})
export type DeviceInput = z.input<typeof DeviceInput>

/** Omitted fields keep their values. Without its own clock settings, a device has those of the integration. */
export const DevicePatch = z.object({ device_name: z.optional(requiredText(maxTitleLength)), ...clockPatch })
export type DevicePatch = z.input<typeof DevicePatch>

/** A punch that is missing. `device_id` defaults to the device of the employee's newest punch, or the first device. */
export const PunchInput = z.object({
  employee_id: integerId,
  device_id: optionalId,
  direction: z.enum(['in', 'out']),
  /** ISO 8601 with a UTC offset; at most 366 days in the past and 5 minutes in the future. */
  at: instantText,
  reason: requiredText(maxTitleLength),
})
export type PunchInput = z.output<typeof PunchInput>

/** A correction of a punch. Omitted fields keep their values. */
export const PunchPatch = z.object({
  at: z.optional(instantText),
  direction: z.optional(z.enum(['in', 'out'])),
  reason: z.optional(requiredText(maxTitleLength)),
})
export type PunchPatch = z.output<typeof PunchPatch>

/** Why a punch is deleted. */
export const PunchRemoval = z.object({ reason: z.optional(requiredText(maxTitleLength)) })

/** Filters a list of attendance sessions. A session must match all of them. */
export const SessionQuery = z.object({
  ...pageQuery,
  employee_id: idFilter,
  /** The local day on which they began. */
  day: dateFilter,
})

/** The first and the last day that hours are counted for. */
export const HoursQuery = z.object({ ...pageQuery, from: dayText, to: dayText })
