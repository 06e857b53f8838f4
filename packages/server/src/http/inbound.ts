import { inboundBasePath, inboundRoutes } from '@service/contract'
import type { Hono } from 'hono'
import type { App } from '../core/context.ts'
import type { InboundHandlers, PingHandler, ReceiveHandler } from '../core/route-handler.ts'
import { leadHandlers } from '../modules/crm/inbound.ts'
import { errorHandlers } from '../modules/error-reports/inbound.ts'
import { gitHandlers } from '../modules/git/inbound.ts'
import { attendanceHandlers } from '../modules/hrms/inbound.ts'
import { handleInboundDelivery, handlePing } from './inbound-handler.ts'
import { mountRoutes } from './mount-routes.ts'
import type { RequestPipeline } from './request-pipeline.ts'

/** The inbound webhooks: one line per module. */
const handlers = {
  ...errorHandlers,
  ...attendanceHandlers,
  ...leadHandlers,
  ...gitHandlers,
} satisfies InboundHandlers<typeof inboundRoutes>

export function mountInbound(hono: Hono, app: App, pipeline: RequestPipeline): void {
  const mounted = inboundRoutes.map((route) => {
    const handler: PingHandler | ReceiveHandler = handlers[route.operation]
    return {
      route,
      handler:
        'ping' in handler
          ? handlePing(app, pipeline, { route, handler })
          : handleInboundDelivery(app, pipeline, { route, handler }),
    }
  })
  mountRoutes(hono, pipeline, { basePath: inboundBasePath, mounted })
}
