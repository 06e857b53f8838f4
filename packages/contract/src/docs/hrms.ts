import type { hrmsRoutes } from '../hrms.ts'
import type { DocsOf } from '../route-docs.ts'
import { openValues, paging } from './decisions.ts'
import { ada, unmatchedPunch } from './example-values.ts'

/** Documentation of the HRMS routes. */
export const hrmsDocs: DocsOf<typeof hrmsRoutes> = {
  'hrms.employees.list': {
    summary: 'List employee profiles',
    description: 'The newest 50 employee profiles of the workspace, newest first.',
    answers: {
      employees: {
        data: [
          {
            id: 8,
            user_id: ada.id,
            employee_code: 'E-1008',
            attendance_uid: '1008',
            department: 'Engineering',
            job_title: 'Software engineer',
            employment_type: 'full_time',
            joined_at: '2024-03-18',
            user: { ...ada, email: 'ada@northwind.test' },
          },
        ],
      },
    },
    notes: {
      does: 'Reads the newest 50 employee profiles, newest first.',
      madeBy: ['create.employee'],
      decisions: [paging, openValues('employment_type', 'full_time, part_time, contract, intern')],
    },
  },
  'hrms.attendance.punch': {
    summary: 'Record an attendance punch',
    description:
      'The body must identify an employee (`employee_code`, `attendance_uid`, `user_id` or `email`) and a device (`device_id`, or `external_device_id` with or without `source_type`). Identifiers that are given together must agree. The order of punches is that of their own times, not of their arrival; the same punch again is answered with `duplicate: true`.',
    bodies: {
      'check-in': {
        employee_code: 'E-1008',
        external_device_id: 'ZK-7F3A',
        source_type: 'zkteco',
        direction: 'in',
        timestamp: '2026-11-20T09:00:00+01:00',
      },
      toggle: { email: 'ada@northwind.test', device_id: 4 },
    },
    answers: {
      'check-in': {
        recorded: true,
        action: 'check_in',
        duplicate: false,
        user_id: ada.id,
        check_in_at: '2026-11-20T08:00:00.000000Z',
        check_out_at: null,
        device_id: 4,
        punch_id: 311,
      },
    },
    refusals: {
      422: {
        'device-not-found': unmatchedPunch,
        'timestamp-too-old': {
          message: 'The timestamp field must not be older than 31 days.',
          errors: { timestamp: ['The timestamp field must not be older than 31 days.'] },
        },
      },
    },
    notes: {
      does: 'Writes a punch and pairs it into a session, by its own time and not by its arrival.',
      madeBy: ['create.employee', 'create.device'],
      decisions: [
        {
          open: 'Unknown employee or device',
          decided:
            '422 with `recorded: false`, `reason`, `hint` and `registered_devices`; kept for an administrator to replay',
        },
        { open: 'Values of action', decided: '`check_in` and `check_out`' },
        { open: 'Identifiers that name different employees or devices', decided: '422' },
        {
          open: 'What a punch does',
          decided:
            '`toggle` closes the open session, or opens one when none is open or the open one is older than 16 h; `in` during a session keeps the first; `out` without one is kept by itself. The order is that of the punches’ own times.',
        },
        {
          open: 'What counts as a duplicate',
          decided: 'The same employee, direction and kind of device within 60 s, or the same instant',
        },
        { open: 'How old or early a punch may be', decided: '31 days back, 5 minutes ahead; else 422' },
      ],
    },
  },
}
