import { inboundBasePath } from '@service/contract'
import type { Hono } from 'hono'
import type { App } from '../context.ts'
import { leadPing, leadReceiver } from '../modules/crm/inbound.ts'
import { errorPing, errorReceiver } from '../modules/error-reports/inbound.ts'
import { gitPing, gitReceiver } from '../modules/git/inbound.ts'
import { attendancePing, attendanceReceiver } from '../modules/hrms/inbound.ts'
import type { Door } from './door.ts'
import { mountRoutes } from './mount-routes.ts'
import { answerPing, receive } from './receive.ts'

/** The inbound webhooks. The fixed names stand before Git's `{provider}`, which would match them too. */
export const pings = [errorPing, attendancePing, leadPing, gitPing]
export const receivers = [errorReceiver, attendanceReceiver, leadReceiver, gitReceiver]

export function mountInbound(hono: Hono, app: App, door: Door): void {
  const mounted = [
    ...pings.map((handler) => ({ route: handler.route, handler: answerPing(app, door, handler) })),
    ...receivers.map((handler) => ({ route: handler.route, handler: receive(app, door, handler) })),
  ]
  mountRoutes(hono, door, { basePath: inboundBasePath, mounted })
}
