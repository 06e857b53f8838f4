import type { attendanceRoutes } from '../../inbound/attendance.ts'
import { pingDescription, pingExample } from '../../inbound/ping.ts'
import type { DocsOf } from '../../route-docs.ts'
import { wrongSecret } from '../decisions.ts'
import { checkIn, frontDoor, recordedPunch, unmatchedPunch } from '../example-values.ts'

/** Documentation of the attendance webhook. */
export const attendanceDocs: DocsOf<typeof attendanceRoutes> = {
  'attendance.ping': {
    summary: 'Check the attendance webhook',
    description: `${pingDescription} Shows an example of a body and the registered devices.`,
    responses: {
      ready: {
        ...pingExample,
        message: 'Send punches here with POST and the header X-Service-Webhook-Secret or X-Device-Secret.',
        payload_example: checkIn,
        registered_devices: [frontDoor],
        note: 'Name the employee by employee_code, attendance_uid, user_id or email, and the device by device_id or external_device_id; the timestamp needs a UTC offset.',
      },
    },
    notes: {
      does: 'Returns whether the webhook is configured, with an example body and the registered devices.',
      createdWith: ['create.device', 'create.integration'],
      decisions: [],
    },
  },
  'attendance.punch': {
    summary: 'Send a punch',
    description:
      "The rules are those of recording a punch over the REST API. A device's own secret also says which device it is. A timestamp without a UTC offset is accepted only if the device or the integration has a `time_zone` and a `timestamp_format`. A textual `device_id` is an `external_device_id`, and a textual `user_id` an `attendance_uid`.",
    bodies: { 'check-in': checkIn },
    responses: { 'check-in': { received: true, ...recordedPunch } },
    errors: { 422: { 'device-not-found': { received: true, ...unmatchedPunch } } },
    notes: {
      does: 'Like hrms.attendance.punch, with the secret of the workspace or the device.',
      createdWith: ['create.employee', 'create.device', 'create.integration'],
      decisions: [
        wrongSecret,
        {
          question: 'When the secret is shown',
          answer: 'Only in the response of the change that first enables the feature, and of each `rotate-secret`',
        },
        {
          question: 'Timestamps without a UTC offset',
          answer:
            '422, unless the device or the integration has a time zone and a format. Of an unknown device, the punch is stored',
          option: 'devices.update, integrations.update: time_zone, timestamp_format',
        },
        {
          question: 'Status for an unknown device: 422 in the heading, 200 in the sample',
          answer: '422',
          option: 'deviceNotFoundStatus: 200',
        },
      ],
    },
  },
}
