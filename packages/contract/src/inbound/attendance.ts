import * as z from 'zod/mini'
import { Device, NewPunch, RecordedPunch, UnmatchedPunch } from '../hrms.ts'
import type { InboundRoute } from '../route.ts'
import { delivery, ping, pingFields } from './ping.ts'

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
  ...ping,
  operation: 'attendance.ping',
  path: '/webhooks/{workspace}/attendance',
  responses: { 200: AttendancePing },
} as const satisfies InboundRoute

export const receivePunch = {
  ...delivery,
  operation: 'attendance.punch',
  path: '/webhooks/{workspace}/attendance',
  secrets: ['webhook', 'device'],
  body: NewPunch,
  responses: { 200: ReceivedPunch, 422: z.extend(UnmatchedPunch, received) },
} as const satisfies InboundRoute

export const attendanceRoutes = [pingAttendance, receivePunch] as const satisfies readonly InboundRoute[]
