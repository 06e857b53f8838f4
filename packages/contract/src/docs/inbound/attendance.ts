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
        message: 'The attendance webhook is ready.',
        payload_example: checkIn,
        registered_devices: [frontDoor],
        note: 'Send one way to find the employee and one to find the device.',
      },
    },
    notes: {
      does: 'Says whether the webhook is configured, with an example of a body and the registered devices.',
      createdWith: ['create.device', 'create.integration'],
      decisions: [],
    },
  },
  'attendance.punch': {
    summary: 'Send a punch',
    description:
      "The rules are those of recording a punch over the REST API. A device's own secret also says which device it is.",
    bodies: { 'check-in': checkIn },
    responses: { 'check-in': { received: true, ...recordedPunch } },
    errors: { 422: { 'device-not-found': { received: true, ...unmatchedPunch } } },
    notes: {
      does: 'As hrms.attendance.punch, with the secret of the workspace or of the device.',
      createdWith: ['create.employee', 'create.device', 'create.integration'],
      decisions: [
        wrongSecret,
        {
          question: 'When the secret is shown',
          answer:
            'In the answer of the change that enables the feature for the first time, and of every `rotate-secret`; never again',
        },
        {
          question: 'Status for an unknown device: headed 422, its sample labelled 200',
          answer: '422',
          option: 'deviceNotFoundStatus: 200',
        },
      ],
    },
  },
}
