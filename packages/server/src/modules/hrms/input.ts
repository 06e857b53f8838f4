import {
  type employmentTypes,
  integerId,
  maxTitleLength,
  optionalDate,
  optionalOpen,
  requiredText,
  text,
} from '@service/contract'
import * as z from 'zod/mini'

const profile = {
  employee_code: text(maxTitleLength),
  attendance_uid: text(maxTitleLength),
  department: text(maxTitleLength),
  job_title: text(maxTitleLength),
  employment_type: optionalOpen<(typeof employmentTypes)[number]>(),
  joined_at: optionalDate,
}

export const NewEmployee = z.object({ workspace_id: integerId, user_id: integerId, ...profile })
export type NewEmployee = z.input<typeof NewEmployee>

export const EmployeePatch = z.object(profile)
export type EmployeePatch = z.input<typeof EmployeePatch>

export const NewDevice = z.object({
  workspace_id: integerId,
  source_type: requiredText(maxTitleLength),
  device_name: requiredText(maxTitleLength),
  external_device_id: text(maxTitleLength),
})
export type NewDevice = z.input<typeof NewDevice>
