import { type Employee, listEmployees, type NewPunch, type PunchResult, recordPunch } from '@service/contract/hrms'
import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { Sender } from '../send-call.ts'

/** Employee profiles. */
export interface Employees {
  /**
   * The newest profiles, at most 50, newest first. Needs `hrms:read`.
   *
   * @throws ServiceError, above all AuthenticationError, PermissionError, RateLimitError.
   */
  list(options?: CallOptions): Call<Employee[]>
}

/** Attendance punches. */
export interface Attendance {
  /**
   * Records a punch; name the employee and the device in one way each. Needs `hrms:write`. That nobody or no device
   * matches is a result with `recorded: false` and a `reason`, not an error, whether the platform answers 422 or 200.
   *
   * @example
   * const punch = await client.hrms.attendance.punch({ employee_code: 'E-7', device_id: 3, direction: 'in' })
   * console.log(punch.recorded ? punch.action : punch.hint)
   * @throws ServiceError, above all InvalidRequestError (before sending), ValidationError, PermissionError.
   */
  punch(punch: NewPunch, options?: CreateOptions): Call<PunchResult>
}

/** Human resources. */
export interface Hrms {
  readonly employees: Employees
  readonly attendance: Attendance
}

export function hrms(send: Sender): Hrms {
  const list = send.data(listEmployees)
  const punch = send.whole(recordPunch)
  return {
    employees: { list: (options) => list(options) },
    attendance: { punch: (body, options) => punch(options, body) },
  }
}
