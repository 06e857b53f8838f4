import { listEmployees } from '@service/contract/hrms'
import type { EmploymentType } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CallOptions } from '../call-options.ts'
import type { Sender } from '../send-call.ts'

/** An employee profile. */
export interface Employee {
  id: number
  user_id: number
  employee_code: string | null
  /** How attendance devices know the employee. */
  attendance_uid: string | null
  department: string | null
  job_title: string | null
  employment_type: EmploymentType | null
  /** A day, `YYYY-MM-DD`. */
  joined_at: string | null
  user: { id: number; name: string; email: string }
}

/** Employee profiles. */
export interface Employees {
  /**
   * The newest profiles, at most 50, newest first. Needs `hrms:read`.
   *
   * @throws ServiceError, above all AuthenticationError, PermissionError, RateLimitError.
   */
  list(options?: CallOptions): Call<Employee[]>
}

export const employees = (send: Sender): Employees => ({ list: send.data(listEmployees) })
