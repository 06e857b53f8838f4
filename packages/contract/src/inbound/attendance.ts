import * as z from 'zod/mini'
import { wrongSecret } from '../docs/decisions.ts'
import { ada, frontDoor, unmatchedPunch } from '../docs/example-values.ts'
import { Device, NewPunch, RecordedPunch, UnmatchedPunch } from '../hrms.ts'
import type { InboundRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
import { deliveryRefusals, pingDescription, pingExample, pingFields, pingRefusals } from './ping.ts'

export const AttendancePing = z.looseObject({
  ...pingFields,
  payload_example: z.looseObject({}),
  registered_devices: z.array(Device),
  note: z.string(),
})
export type AttendancePing = z.infer<typeof AttendancePing>

const received = { received: z.literal(true) }
export const ReceivedPunch = z.union([z.extend(RecordedPunch, received), z.extend(UnmatchedPunch, received)])
export type ReceivedPunch = z.infer<typeof ReceivedPunch>

export const pingAttendance = {
  operation: 'attendance.ping',
  method: 'GET',
  surface: 'inbound',
  path: '/webhooks/{workspace}/attendance',
  answers: { 200: AttendancePing },
  refusals: pingRefusals,
} as const satisfies InboundRoute

export const receivePunch = {
  operation: 'attendance.punch',
  method: 'POST',
  surface: 'inbound',
  path: '/webhooks/{workspace}/attendance',
  secrets: ['webhook', 'device'],
  body: NewPunch,
  answers: { 200: ReceivedPunch, 422: z.extend(UnmatchedPunch, received) },
  refusals: deliveryRefusals,
} as const satisfies InboundRoute

const checkIn = {
  employee_code: 'E-1008',
  external_device_id: 'ZK-7F3A',
  direction: 'in' as const, // one of the closed list
  timestamp: '2026-11-20T09:00:00+01:00',
}

export const attendanceRoutes = [pingAttendance, receivePunch] as const satisfies readonly InboundRoute[]

/** Documentation of the attendance webhook. */
export const attendanceDocs = (): DocsOf<typeof attendanceRoutes> => ({
  'attendance.ping': {
    tag: 'Attendance devices',
    summary: 'Check the attendance webhook',
    description: `${pingDescription} Shows an example of a body and the registered devices.`,
    answers: {
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
      madeBy: ['create.device', 'create.integration'],
      decisions: [],
    },
  },
  'attendance.punch': {
    tag: 'Attendance devices',
    summary: 'Send a punch',
    description:
      "The rules are those of recording a punch over the REST API. A device's own secret also says which device it is.",
    bodies: { 'check-in': checkIn },
    answers: {
      'check-in': {
        received: true,
        recorded: true,
        action: 'check_in',
        duplicate: false,
        user_id: ada.id,
        check_in_at: '2026-11-20T08:00:00.000000Z',
        check_out_at: null,
        device_id: frontDoor.id,
        punch_id: 311,
      },
    },
    refusals: { 422: { 'device-not-found': { received: true, ...unmatchedPunch } } },
    notes: {
      does: 'As hrms.attendance.punch, with the secret of the workspace or of the device.',
      madeBy: ['create.employee', 'create.device', 'create.integration'],
      decisions: [
        wrongSecret,
        {
          open: 'When the secret is shown',
          decided:
            'In the answer of the change that enables the feature for the first time, and of every `rotate-secret`; never again',
        },
        {
          open: 'Status for an unknown device: headed 422, its sample labelled 200',
          decided: '422',
          option: 'deviceNotFoundStatus: 200',
        },
      ],
    },
  },
})
