import { type attendanceRoutes, type Device, deviceSecretHeader, webhookSecretHeader } from '@service/contract'
import type { App } from '../../context.ts'
import { formatEventTimestamp } from '../../core/clock.ts'
import { notFound, unauthorized } from '../../core/errors.ts'
import { hashSecret, matchesSecretHash } from '../../core/ids.ts'
import {
  type InboundCall,
  type InboundHandlers,
  ok,
  type PingHandler,
  type ReceiveHandler,
} from '../../route-handler.ts'
import { findReceivingIntegration, type ReceivingIntegration } from '../integrations/service.ts'
import { receivePunch } from './punch-webhook-service.ts'
import * as service from './service.ts'

const attendancePing: PingHandler = {
  async ping(app, { workspaceId }) {
    const devices = await service.listDevices(app, workspaceId)
    return ok({
      status: 'ok',
      message: `Send punches here with POST and the header ${webhookSecretHeader} or ${deviceSecretHeader}.`,
      // A ping needs no credential, so it does not reveal the workspace name.
      workspace: String(workspaceId),
      configured: (await findReceivingIntegration(app, workspaceId, 'attendance')) !== undefined,
      payload_example: await payloadExample(app, workspaceId, devices),
      registered_devices: devices,
      note: 'Name the employee by employee_code, attendance_uid, user_id or email, and the device by device_id or external_device_id; the timestamp needs a UTC offset.',
      supported_methods: ['POST'],
    })
  },
}

/**
 * An example body that works for this workspace: its device and employee, at the current time. It identifies the
 * employee only by user id, because anyone can read the ping.
 */
async function payloadExample(app: App, workspaceId: number, devices: readonly Device[]) {
  const user_id = await service.findAnyEmployeeUser(app, workspaceId)
  return {
    ...(user_id === undefined ? { employee_code: 'E-001' } : { user_id }),
    ...exampleDevice(devices[0]),
    direction: 'in',
    timestamp: formatEventTimestamp(app.clock.now()),
  }
}

function exampleDevice(device: Device | undefined) {
  if (device === undefined) return { external_device_id: 'DOOR-1', source_type: 'zkteco' }
  const { id, external_device_id, source_type } = device
  return external_device_id === null ? { device_id: id } : { external_device_id, source_type }
}

/** The device whose secret authenticated the request, if any. */
interface PunchSender {
  readonly fixedDeviceId: number | undefined
  readonly mapping: ReceivingIntegration['mapping']
  readonly clock: ReceivingIntegration['clock']
}

const attendanceReceiver: ReceiveHandler<PunchSender> = {
  integrationOf: () => 'attendance',
  async authorize(app, call) {
    const integration = await findReceivingIntegration(app, call.workspaceId, 'attendance')
    if (integration === undefined) throw notFound('integration')
    const { secretHash, mapping, clock } = integration
    if (deviceSecretOf(call) !== undefined) {
      const fixedDeviceId = await requireDevice(app, call)
      return {
        credential: `device:${fixedDeviceId}`,
        deviceId: fixedDeviceId,
        context: { fixedDeviceId, mapping, clock },
      }
    }
    const given = call.headers[webhookSecretHeader.toLowerCase()]
    if (given === undefined || !matchesSecretHash(given, secretHash)) throw unauthorized('Invalid webhook secret.')
    return { credential: 'secret', context: { fixedDeviceId: undefined, mapping, clock } }
  },
  receive: (app, delivery, sender) => receivePunch(app, delivery, sender),
}

export const attendanceHandlers = {
  'attendance.ping': attendancePing,
  'attendance.punch': attendanceReceiver,
} satisfies InboundHandlers<typeof attendanceRoutes>

const deviceSecretOf = ({ headers }: InboundCall) => headers[deviceSecretHeader.toLowerCase()]

/** The device with this secret. Looked up by hash, so timing reveals nothing about the secret. */
async function requireDevice(app: App, call: InboundCall): Promise<number> {
  const secret = deviceSecretOf(call)
  const device = secret && (await service.findDeviceBySecretHash(app, call.workspaceId, hashSecret(secret)))
  if (!device) throw unauthorized('Invalid webhook secret.')
  return device.id
}
