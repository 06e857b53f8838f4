import type { TimestampFormat } from '@service/contract/admin/hrms-input'
import type { Generated } from 'kysely'

export interface EmployeesTable {
  id: Generated<number>
  workspace_id: number
  user_id: number
  employee_code: string | null
  attendance_uid: string | null
  department: string | null
  job_title: string | null
  employment_type: string | null
  /** `YYYY-MM-DD` */
  joined_at: string | null
  /** The name in the workspace and the e-mail address of the person, as they are searched. */
  person_text: Generated<string>
  created_at: number
  updated_at: number
}

export interface DevicesTable {
  id: Generated<number>
  workspace_id: number
  source_type: string
  device_name: string
  external_device_id: string | null
  /** SHA-256 of the device's secret, if it has one. */
  secret_hash: string | null
  /** An IANA time zone. */
  time_zone: string | null
  timestamp_format: TimestampFormat | null
  created_at: number
}

/** Every punch with its pairing result. A correction keeps the original in a separate row. */
export interface PunchesTable {
  id: Generated<number>
  workspace_id: number
  employee_id: number
  device_id: number
  /** The device's `source_type`. Repeated taps on two doors of one system count as one punch. */
  device_family: string
  direction: string
  at: number
  /** The UTC offset in the original timestamp. */
  offset_minutes: number
  /** `api`, `webhook`, `replay` or `admin`. */
  via: string
  received_at: number
  action: string
  duplicate_of: number | null
  orphan: number
  /** The session's id: the punch that opened it. */
  check_in_punch_id: number | null
  /** Which instant was taken, if a local time occurs twice or not at all. */
  note: string | null
  /** Why an administrator added or changed it. */
  reason: string | null
  /** 1 if an administrator added, changed, or deleted it. */
  corrected: Generated<number>
  /** When it was deleted, or replaced by a correction. It is not paired any more. */
  voided_at: number | null
  /** The punch that has replaced this original. */
  replaced_by: number | null
}

export interface AttendanceSessionsTable {
  check_in_punch_id: number
  workspace_id: number
  employee_id: number
  check_in_at: number
  check_out_punch_id: number | null
  check_out_at: number | null
  /** Local day of the check-in. A night shift counts for the day on which it began. */
  day: string
}

/** Punches of unknown employees or devices, kept until an administrator replays them. */
export interface UnmatchedPunchesTable {
  id: Generated<number>
  workspace_id: number
  reason: string
  via: string
  /** The validated body, as JSON. */
  body: string
  /** Deduplicates punches from a device that resends its log. */
  body_hash: string
  received_at: number
  replayed_at: number | null
  punch_id: number | null
}
