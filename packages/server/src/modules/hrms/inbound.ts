import { deviceSecretHeader, NewPunch, pingAttendance, receivePunch, webhookSecretHeader } from '@service/contract'
import { notFound, unauthorized } from '../../api-error.ts'
import { checkInput } from '../../check-input.ts'
import type { App } from '../../context.ts'
import { type InboundCall, ok, type PingHandler, type ReceiveHandler } from '../../inbound-handler.ts'
import { parseJson } from '../../parse-json.ts'
import { hashSecret, isSecret } from '../../secrets.ts'
import { findSecretHash } from '../integrations/service.ts'
import { receivePunch as receive } from './punch-service.ts'
import * as service from './service.ts'

const payloadExample = {
  employee_code: 'E-001',
  external_device_id: 'DOOR-1',
  source_type: 'zkteco',
  direction: 'in',
  timestamp: '2026-11-20T09:00:00+01:00',
}

export const attendancePing: PingHandler = {
  route: pingAttendance,
  ping: async (app, { workspaceId, workspaceName }) =>
    ok({
      status: 'ok',
      message: `Send punches here with POST and the header ${webhookSecretHeader} or ${deviceSecretHeader}.`,
      workspace: workspaceName,
      configured: (await findSecretHash(app, workspaceId, 'attendance')) !== undefined,
      payload_example: payloadExample,
      registered_devices: await service.listDevices(app, workspaceId),
      note: 'Name the employee by employee_code, attendance_uid, user_id or email, and the device by device_id or external_device_id; the timestamp needs a UTC offset.',
      supported_methods: ['POST'],
    }),
}

export const attendanceReceiver: ReceiveHandler = {
  route: receivePunch,
  async authorize(app, call) {
    const hash = await findSecretHash(app, call.workspaceId, 'attendance')
    if (hash === undefined) throw notFound('integration')
    if (deviceSecretOf(call) !== undefined) return void (await requireDevice(app, call))
    const given = call.headers[webhookSecretHeader.toLowerCase()]
    if (given === undefined || !isSecret(given, hash)) throw unauthorized('Invalid webhook secret.')
  },
  async receive(app, delivery) {
    const punch = checkInput(NewPunch, parseJson(delivery.body))
    const fixedDeviceId = deviceSecretOf(delivery) === undefined ? undefined : await requireDevice(app, delivery)
    const { workspaceId, requestId } = delivery
    return receive(app, { workspaceId, requestId, punch, fixedDeviceId })
  },
}

const deviceSecretOf = ({ headers }: InboundCall) => headers[deviceSecretHeader.toLowerCase()]

/** The device whose own secret this is. Looked up by its hash, so that how far a guess matches tells nothing. */
async function requireDevice(app: App, call: InboundCall): Promise<number> {
  const secret = deviceSecretOf(call)
  const device = secret && (await service.findDeviceBySecretHash(app, call.workspaceId, hashSecret(secret)))
  if (!device) throw unauthorized('Invalid webhook secret.')
  return device.id
}
