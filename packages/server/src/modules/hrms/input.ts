import { integerId } from '@service/contract'
import { DeviceInput, EmployeeInput } from '@service/contract/admin/hrms-input'
import { MemberInput } from '@service/contract/admin/people-input'
import * as z from 'zod/mini'

// As administration takes them, with the workspace, for code that has no path to name it.

export const NewEmployee = z.extend(EmployeeInput, { workspace_id: integerId })
export type NewEmployee = z.input<typeof NewEmployee>

/** Who an employee is that is no member yet. */
export const NewPerson = z.omit(MemberInput, { role: true })

export const NewDevice = z.extend(DeviceInput, { workspace_id: integerId })
export type NewDevice = z.input<typeof NewDevice>
