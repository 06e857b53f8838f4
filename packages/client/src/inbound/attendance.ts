import type { Device, NewPunch, RecordedPunch, UnmatchedPunch } from '../api-types.ts'
import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import { callerStack } from '../caller-stack.ts'
import type { CheckedSecrets } from './inbound-options.ts'
import { type Ping, pingRoute } from './ping.ts'
import { type InboundRoute, type SendInbound, secretHeader } from './send-inbound.ts'

export interface AttendancePing extends Ping {
  /** An example of a body. */
  payload_example: Record<string, unknown>
  registered_devices: Device[]
  note: string
}

/** A punch that was received by webhook and recorded. */
export interface ReceivedPunch extends RecordedPunch {
  received: true
}

/** A punch that was received by webhook and refused, e.g. because it matches no employee or device. */
export interface ReceivedUnmatchedPunch extends UnmatchedPunch {
  received: true
}

/** The result of a punch. `recorded` tells them apart. */
export type PunchReceipt = ReceivedPunch | ReceivedUnmatchedPunch

/** Attendance punches of device agents. */
export interface InboundAttendance {
  ping(options?: CallOptions): Call<AttendancePing>
  /**
   * Sends a punch. If no employee or device matches, or the platform refuses it for another reason, the result has
   * `recorded: false` and a `reason`, not an error, whether the status is 422 or 200.
   *
   * @example
   * const punch = await inbound.attendance.punch({ employee_code: 'E-7', external_device_id: 'DOOR-1', direction: 'in' })
   * console.log(punch.recorded ? punch.action : (punch.hint ?? punch.reason))
   */
  punch(punch: NewPunch, options?: CreateOptions): Call<PunchReceipt>
}

const path = '/webhooks/{workspace}/attendance'

const unmatched = {
  recorded: 'false',
  reason: 'string',
  hint: 'string|null',
  registered_devices: 'array|null',
} as const
const recorded = {
  recorded: 'true',
  action: 'string',
  duplicate: 'boolean',
  user_id: 'integer',
  check_in_at: 'string|null',
  check_out_at: 'string|null',
  device_id: 'integer',
  punch_id: 'integer',
} as const

const pingAttendance = pingRoute('attendance.ping', path, {
  payload_example: 'object',
  registered_devices: 'array',
  note: 'string',
})

const sendPunch: InboundRoute = {
  operation: 'attendance.punch',
  method: 'POST',
  path,
  body: {},
  responses: {
    200: (value) => ({ received: 'true', ...(value['recorded'] === false ? unmatched : recorded) }),
    422: { received: 'true', ...unmatched },
  },
}

export function attendance(send: SendInbound, secrets: CheckedSecrets): InboundAttendance {
  const credentials = secrets.device
    ? secretHeader(secrets.device, 'x-device-secret')
    : secretHeader(secrets.attendance)
  const methods: InboundAttendance = {
    ping: (options) => send({ route: pingAttendance, options, callerStack: callerStack(methods.ping) }),
    punch: (body, options) =>
      send({ route: sendPunch, body, credentials, options, callerStack: callerStack(methods.punch) }),
  }
  return methods
}
