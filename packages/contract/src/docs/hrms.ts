import type { hrmsRoutes } from '../hrms.ts'
import type { DocsOf } from '../route-docs.ts'
import { openValues, paging } from './decisions.ts'
import { adaEmail, checkIn, employee, frontDoor, recordedPunch, unmatchedPunch } from './example-values.ts'

/** Documentation of the HRMS routes. */
export const hrmsDocs: DocsOf<typeof hrmsRoutes> = {
  'hrms.employees.list': {
    summary: 'List employee profiles',
    description: 'The newest 50 employee profiles of the workspace, newest first.',
    responses: { employees: { data: [employee] } },
    notes: {
      does: 'Reads the newest 50 employee profiles, newest first.',
      createdWith: ['create.employee'],
      decisions: [paging, openValues('employment_type', 'full_time, part_time, contract, intern')],
    },
  },
  'hrms.attendance.punch': {
    summary: 'Record an attendance punch',
    description:
      'The body must identify an employee (`employee_code`, `attendance_uid`, `user_id` or `email`) and a device (`device_id`, or `external_device_id` with or without `source_type`). Identifiers that are given together must agree. The order of punches is that of their own times, not of their arrival; the same punch again is answered with `duplicate: true`. A body without `timestamp` that has another value that reads as a time, such as `punched_at`, is a 422.',
    bodies: {
      'check-in': { ...checkIn, source_type: frontDoor.source_type },
      toggle: { email: adaEmail, device_id: frontDoor.id },
    },
    responses: { 'check-in': recordedPunch },
    errors: {
      422: {
        'device-not-found': unmatchedPunch,
        'timestamp-too-old': {
          message: 'The timestamp field must not be older than 31 days.',
          errors: { timestamp: ['The timestamp field must not be older than 31 days.'] },
        },
      },
    },
    notes: {
      does: 'Creates a punch and pairs it into an attendance session by its timestamp, not its arrival.',
      createdWith: ['create.employee', 'create.device'],
      decisions: [
        {
          question: 'Unknown employee or device',
          answer:
            '422 with `recorded: false`, `reason`, `hint`, and `registered_devices`; stored, and an administrator can replay it',
        },
        { question: 'Values of action', answer: '`check_in` and `check_out`' },
        {
          question: '`check_out_at` after a check-in',
          answer: '`null`, unless the check-out of the session arrived before it',
        },
        { question: 'Identifiers that name different employees or devices', answer: '422' },
        {
          question: 'Effect of a punch',
          answer:
            '`toggle` closes the open session, or opens one if none is open or the open one is older than 16 h; the first `in` of a session counts; `out` without a session is stored alone; an `in` at the instant of an `out` starts the next session. Punches are ordered by their timestamps.',
        },
        {
          question: 'Duplicates',
          answer: 'The same employee, direction, and device type within 60 s, or the same instant',
        },
        {
          question: 'Unknown fields are ignored, but `time` or `punched_at` instead of `timestamp`',
          answer:
            '422 that names both fields. Ignoring it would record the time of arrival, which is wrong for a device that was offline.',
        },
        {
          question: 'Allowed timestamps',
          answer: 'At most 31 days in the past and 5 minutes in the future, otherwise 422',
        },
      ],
    },
  },
}
