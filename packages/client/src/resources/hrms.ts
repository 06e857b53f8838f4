import { listEmployees, recordPunch } from '@service/contract/hrms'
import type { EmploymentType, Open, PunchAction, PunchDirection } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { Sender } from '../send-call.ts'

/** An employee profile. */
export interface Employee {
  id: number
  user_id: number
  employee_code: string | null
  /** The employee's id on attendance devices. */
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
   * Returns up to 50 profiles, newest first. Requires `hrms:read`.
   *
   * @throws ServiceError, especially AuthenticationError, PermissionError, RateLimitError.
   */
  list(options?: CallOptions): Call<Employee[]>
}

/** A registered attendance device. */
export interface Device {
  id: number
  /** The kind of device agent. */
  source_type: string
  device_name: string
  external_device_id: string | null
}

/** The fields of a new punch. They must identify the employee and the device. */
export interface NewPunch {
  employee_code?: string | null | undefined
  attendance_uid?: string | null | undefined
  user_id?: number | null | undefined
  email?: string | null | undefined
  device_id?: number | null | undefined
  external_device_id?: string | null | undefined
  source_type?: string | null | undefined
  /** Defaults to `toggle`. */
  direction?: PunchDirection | null | undefined
  /** With a UTC offset, e.g. `2026-11-20T09:00:00+01:00`. Defaults to now. */
  timestamp?: string | null | undefined
}

/** A recorded punch. The times are those of its session. */
export interface RecordedPunch {
  recorded: true
  action: PunchAction
  /** The same punch was recorded before, and this is that one. */
  duplicate: boolean
  user_id: number
  /** UTC with microseconds; null for an OUT without an IN. */
  check_in_at: string | null
  /** UTC with microseconds; null while the session lasts. */
  check_out_at: string | null
  device_id: number
  punch_id: number
}

/** A punch that matches no employee or device, so it was not recorded. */
export interface UnmatchedPunch {
  recorded: false
  reason: Open<'device_not_found' | 'employee_not_found'>
  /** A sentence that says what to do. */
  hint: string
  registered_devices: Device[]
}

/** The result of a punch. `recorded` tells them apart. */
export type PunchResult = RecordedPunch | UnmatchedPunch

/** Attendance punches. */
export interface Attendance {
  /**
   * Records a punch. Requires `hrms:write`. If no employee or device matches, the result has `recorded: false` and a
   * `reason`. This is not an error, whether the status is 422 or 200.
   *
   * @example
   * const punch = await client.hrms.attendance.punch({ employee_code: 'E-7', device_id: 3, direction: 'in' })
   * console.log(punch.recorded ? punch.action : punch.hint)
   * @throws ServiceError, especially InvalidRequestError (before sending), ValidationError, PermissionError.
   */
  punch(punch: NewPunch, options?: CreateOptions): Call<PunchResult>
}

/** Human resources. */
export interface Hrms {
  readonly employees: Employees
  readonly attendance: Attendance
}

export const hrms = (send: Sender): Hrms => ({
  employees: { list: send.data(listEmployees) },
  attendance: { punch: send.whole(recordPunch) },
})
