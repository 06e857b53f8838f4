import type { hrmsAdminRoutes } from '../../admin/hrms.ts'
import type { DocsOf } from '../../route-docs.ts'
import { ada, adaEmail, employee, frontDoor, page, unmatchedPunch } from '../example-values.ts'

const door = { ...frontDoor, time_zone: null, timestamp_format: null }
const punch = {
  id: 311,
  employee_id: 8,
  device_id: 4,
  device_family: 'zkteco',
  direction: 'in',
  at: '2026-11-20T08:00:00.000000Z',
  offset_minutes: 60,
  via: 'webhook',
  received_at: '2026-11-20T08:00:01.250000Z',
  action: 'check_in',
  duplicate_of: null,
  orphan: false,
  session_id: 311,
  note: null,
  corrected: false,
  reason: null,
  voided_at: null,
  replaced_by: null,
}
const secret = 'YQ3bV8wq2LxT5rYbZ7mC4dPfH9sGaEuQ'

/** Documentation of the administration of employees, devices and attendance. */
export const hrmsAdminDocs: DocsOf<typeof hrmsAdminRoutes> = {
  'employees.list': {
    summary: 'List employees',
    description:
      'Employee profiles, newest first. `search` finds the beginnings of words in the name, the e-mail address or the code.',
    responses: { employees: page(employee) },
  },
  'employees.delete': {
    summary: 'Delete an employee',
    description: 'The person stays a member. Answers 409 if the employee has punches.',
  },
  'devices.delete': { summary: 'Delete a device', description: 'Answers 409 if punches came from the device.' },
  'employees.create': {
    summary: 'Create an employee',
    description:
      'The profile of a member (`user_id`), or of a new member (`name` and `email`). User, code and attendance uid are unique in a workspace (409).',
    bodies: {
      'new-person': { name: ada.name, email: adaEmail, employee_code: 'E-1008' },
      'of-a-member': { user_id: ada.id, employee_code: 'E-1008', attendance_uid: '1008', department: 'Engineering' },
    },
    responses: { created: employee },
  },
  'employees.get': { summary: 'Get an employee', responses: { employee } },
  'employees.update': {
    summary: 'Change an employee',
    description: 'Omitted fields keep their values, and null clears a field.',
    bodies: { department: { department: 'Research' } },
    responses: { employee: { ...employee, department: 'Research' } },
  },
  'devices.list': {
    summary: 'List devices',
    description: 'Attendance devices, newest first.',
    responses: { devices: page(door) },
  },
  'devices.create': {
    summary: 'Register a device',
    description:
      'The device may send the secret as `X-Device-Secret`. Only this response contains it. Kind and external id together are unique in a workspace (409).',
    bodies: { device: { source_type: 'zkteco', device_name: 'Front door', external_device_id: 'ZK-7F3A' } },
    responses: { created: { ...door, secret } },
  },
  'devices.get': { summary: 'Get a device', responses: { device: door } },
  'devices.update': {
    summary: 'Change a device',
    description:
      'Omitted fields keep their values. `time_zone` and `timestamp_format` say how times without a UTC offset are read; with null, the settings of the integration count.',
    bodies: {
      name: { device_name: 'Back door' },
      clock: { time_zone: 'Europe/Berlin', timestamp_format: 'iso_local' },
    },
    responses: { device: { ...door, device_name: 'Back door' } },
  },
  'devices.rotateSecret': {
    summary: 'Issue a new device secret',
    description: 'Only this response contains the secret. The previous one stops working immediately.',
    responses: { device: { ...door, secret } },
  },
  'punches.list': {
    summary: 'List punches',
    description:
      'Every punch as it was sent, with the result of pairing it, newest arrival first. Originals of corrections and deleted punches have `voided_at` and no longer count.',
    responses: { punches: page(punch) },
  },
  'punches.create': {
    summary: 'Add a missing punch',
    description:
      'For a forgotten punch. The sessions of the employee are paired again. Answers 409 if the employee already has this punch. `device_id` defaults to the device of the newest punch of the employee, or to the first device.',
    bodies: {
      forgotten: { employee_id: 8, direction: 'out', at: '2026-11-20T17:00:00+01:00', reason: 'Forgot to clock out' },
    },
    responses: {
      created: {
        ...punch,
        direction: 'out',
        at: '2026-11-20T16:00:00.000000Z',
        via: 'admin',
        action: 'check_out',
        corrected: true,
        reason: 'Forgot to clock out',
      },
    },
  },
  'punches.get': { summary: 'Get a punch', responses: { punch } },
  'punches.update': {
    summary: 'Correct a punch',
    description:
      'Changes the time or the direction, and pairs the sessions of the employee again. The original is kept as a punch with `voided_at` and `replaced_by`. Omitted fields, such as `reason`, keep their values.',
    bodies: { time: { at: '2026-11-20T08:30:00+01:00', reason: 'The clock of the door was wrong' } },
    responses: {
      corrected: {
        ...punch,
        at: '2026-11-20T07:30:00.000000Z',
        corrected: true,
        reason: 'The clock of the door was wrong',
      },
    },
  },
  'punches.delete': {
    summary: 'Delete a punch',
    description:
      'The punch is kept with `voided_at`, and no longer counts, also if its device sends it again. `reason` says why. The sessions of the employee are paired again.',
  },
  'attendance.sessions': {
    summary: 'List attendance sessions',
    description:
      'Sessions from paired punches, newest first. `employee_id` selects one employee, `day` the local day on which a session began. The id is that of the punch that opened the session.',
    responses: {
      sessions: page({
        id: 311,
        employee_id: 8,
        check_in_at: '2026-11-20T08:00:00.000000Z',
        check_out_punch_id: null,
        check_out_at: null,
        day: '2026-11-20',
        corrected: false,
      }),
    },
  },
  'attendance.hours': {
    summary: 'List hours of employees',
    description:
      'The hours of each employee from the day `from` to the day `to`, at most 31 days. A session without a check-out counts until now for 16 hours; after that its check-out was forgotten, and it counts as 0.',
    responses: {
      hours: page({
        id: 8,
        name: ada.name,
        days: [{ day: '2026-11-20', worked_seconds: 30_600, checked_in: false, corrected: false }],
      }),
    },
  },
  'attendance.explain': {
    summary: 'Explain a punch',
    description:
      'How a body is read and what would happen to it, with the saved mapping or a draft. Nothing is recorded and nothing is audited.',
    bodies: {
      draft: { body: { who: 'E-1008', terminal: 'ZK-7F3A' }, mapping: { fields: { employee_code: 'who' } } },
      kept: { delivery_id: 9 },
    },
    responses: {
      explained: {
        data: [
          {
            outcome: 'unmatched',
            reason: 'device_not_found',
            punch: { employee_code: 'E-1008' },
            mapped: [{ field: 'employee_code', from: null, to: 'E-1008', expression: 'who' }],
          },
        ],
      },
    },
  },
  'attendance.unmatched': {
    summary: 'List unmatched punches',
    description: 'Punches of unknown employees or devices, stored until they are replayed, newest first.',
    responses: {
      waiting: page({
        id: 2,
        reason: 'device_not_found',
        via: 'webhook',
        punch: { employee_code: 'E-1008', external_device_id: 'ZK-7F3A', direction: 'in' },
        received_at: '2026-11-20T08:00:01.250000Z',
      }),
    },
  },
  'attendance.replay': {
    summary: 'Replay a punch',
    description:
      'Records the punch once its employee and device are registered. The response is that of a punch of the API.',
    responses: { 'still-unknown': unmatchedPunch },
  },
}
