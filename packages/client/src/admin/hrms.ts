import type { EmploymentType } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { Device, PunchResult } from '../resources/attendance.ts'
import type { Employee } from '../resources/employees.ts'
import type { ById, Changed, InWorkspace, Page, PageQuery } from './page.ts'

/** What may be set of an employee. Null empties it. */
export interface EmployeeProfile {
  employee_code?: string | null | undefined
  attendance_uid?: string | null | undefined
  department?: string | null | undefined
  job_title?: string | null | undefined
  employment_type?: EmploymentType | null | undefined
  /** A day, `YYYY-MM-DD`. */
  joined_at?: string | null | undefined
}

/** The profile of a member (`user_id`), or of somebody who becomes one (`name` and `email`). */
export interface EmployeeInput extends EmployeeProfile {
  user_id?: number | null | undefined
  name?: string | null | undefined
  email?: string | null | undefined
}

/** The employees of a workspace. */
export interface AdminEmployees {
  /** Newest first. */
  list(
    at: InWorkspace,
    /** `search` is a part of the name, the e-mail address or the code. */
    query?: PageQuery & { search?: string | undefined },
    options?: CallOptions,
  ): Call<Page<Employee>>
  /** @throws ConflictError when there are punches. */
  delete(at: ById, options?: CallOptions): Call<Changed>
  /** @throws ConflictError when the user, the code or the attendance uid is taken. */
  create(at: InWorkspace, employee: EmployeeInput, options?: CreateOptions): Call<Employee>
  get(at: ById, options?: CallOptions): Call<Employee>
  update(at: ById, patch: EmployeeProfile, options?: CallOptions): Call<Employee>
}

/** An attendance device. Kind and external id together are unique in a workspace. */
export interface DeviceInput {
  /** The kind of device agent, such as `zkteco`. */
  source_type: string
  device_name: string
  external_device_id?: string | null | undefined
}

/** With the secret, which is in this answer and in no other. */
export interface DeviceWithSecret extends Device {
  secret: string
}

/** The attendance devices of a workspace. */
export interface Devices {
  /** Newest first. */
  list(at: InWorkspace, query?: PageQuery, options?: CallOptions): Call<Page<Device>>
  /** The secret, which the device may send as `X-Device-Secret`, is in this answer and in no other. */
  create(at: InWorkspace, device: DeviceInput, options?: CreateOptions): Call<DeviceWithSecret>
  get(at: ById, options?: CallOptions): Call<Device>
  update(at: ById, patch: { device_name?: string | undefined }, options?: CallOptions): Call<Device>
  /** The secret before stops at once. */
  rotateSecret(at: ById, options?: CallOptions): Call<DeviceWithSecret>
  /** @throws ConflictError when punches came from it. */
  delete(at: ById, options?: CallOptions): Call<Changed>
}

/** A punch as it was sent, with what pairing made of it. */
export interface Punch {
  id: number
  employee_id: number
  device_id: number
  /** The device's `source_type`: a double tap on two devices of one system is one punch. */
  device_family: string
  direction: string
  at: string
  /** The UTC offset that it was sent with. */
  offset_minutes: number
  /** `api`, `webhook`, `replay` or `admin`. */
  via: string
  received_at: string
  action: string
  duplicate_of: number | null
  /** An OUT without an open session. */
  orphan: boolean
  session_id: number | null
}

/** An attendance session. Its id is that of the punch that opened it. */
export interface AttendanceSession {
  id: number
  employee_id: number
  check_in_at: string
  check_out_punch_id: number | null
  check_out_at: string | null
  /** Local day of the check-in, `YYYY-MM-DD`. */
  day: string
}

/** A punch that waits for its employee or device. */
export interface WaitingPunch {
  id: number
  reason: string
  via: string
  /** The body as it was sent. */
  punch: Record<string, unknown>
  received_at: string
}

/** What became of punches. */
export interface AdminAttendance {
  /** Newest arrival first. */
  punches(at: InWorkspace, query?: PageQuery, options?: CallOptions): Call<Page<Punch>>
  /** Newest first. */
  sessions(
    at: InWorkspace,
    /** `day` is the local day on which a session began, `YYYY-MM-DD`. */
    query?: PageQuery & { employee_id?: number | undefined; day?: string | undefined },
    options?: CallOptions,
  ): Call<Page<AttendanceSession>>
  /** Punches of unknown employees or devices, stored until they are replayed, newest first. */
  unmatched(at: InWorkspace, query?: PageQuery, options?: CallOptions): Call<Page<WaitingPunch>>
  /** Records a waiting punch, once its employee and device are registered. */
  replay(at: ById, options?: CallOptions): Call<PunchResult>
}
