import type { hrmsAdminRoutes } from '../../admin/hrms.ts'
import type { DocsOf } from '../../route-docs.ts'
import { ada, adaEmail, employee, frontDoor, page, unmatchedPunch } from '../example-values.ts'

/** Documentation of the administration of employees, devices and attendance. */
export const hrmsAdminDocs: DocsOf<typeof hrmsAdminRoutes> = {
  'employees.list': {
    summary: 'List employees',
    description: 'Employee profiles, newest first; `search` is a part of the name, the e-mail address or the code.',
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
    responses: { devices: page(frontDoor) },
  },
  'devices.create': {
    summary: 'Register a device',
    description:
      'The device may send the secret as `X-Device-Secret`. Only this response contains it. Kind and external id together are unique in a workspace (409).',
    bodies: { device: { source_type: 'zkteco', device_name: 'Front door', external_device_id: 'ZK-7F3A' } },
    responses: { created: { ...frontDoor, secret: 'YQ3bV8wq2LxT5rYbZ7mC4dPfH9sGaEuQ' } },
  },
  'devices.get': { summary: 'Get a device', responses: { device: frontDoor } },
  'devices.update': {
    summary: 'Rename a device',
    bodies: { name: { device_name: 'Back door' } },
    responses: { device: { ...frontDoor, device_name: 'Back door' } },
  },
  'devices.rotateSecret': {
    summary: 'Issue a new device secret',
    description: 'Only this response contains the secret. The previous one stops working immediately.',
    responses: { device: { ...frontDoor, secret: 'YQ3bV8wq2LxT5rYbZ7mC4dPfH9sGaEuQ' } },
  },
  'attendance.punches': {
    summary: 'List punches',
    description: 'Every punch as it was sent, with the result of pairing it, newest arrival first.',
    responses: {
      punches: page({
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
      }),
    },
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
        days: [{ day: '2026-11-20', worked_seconds: 30_600, checked_in: false }],
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
