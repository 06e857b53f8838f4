import { inboundBasePath, inboundRoutes } from '@service/contract'
import { Hono } from 'hono'
import { PatternRouter } from 'hono/router/pattern-router'
import type { App } from '../context.ts'
import { leadHandlers } from '../modules/crm/inbound.ts'
import { errorHandlers } from '../modules/error-reports/inbound.ts'
import { gitHandlers } from '../modules/git/inbound.ts'
import { attendanceHandlers } from '../modules/hrms/inbound.ts'
import type { InboundHandlers, PingHandler, ReceiveHandler } from '../route-handler.ts'
import { handleInboundDelivery, handlePing } from './inbound-handler.ts'
import { mountRoutes, refuseUnknown } from './mount-routes.ts'
import type { RequestPipeline } from './request-pipeline.ts'

const handlers = {
  ...errorHandlers,
  ...attendanceHandlers,
  ...leadHandlers,
  ...gitHandlers,
} satisfies InboundHandlers<typeof inboundRoutes>

/**
 * A separate router: names such as `errors` next to `{provider}` are not supported by Hono's fast router. In one
 * router, all routes would use the slower one, which adds a twentieth to a short request. For these few
 * routes, testing one expression after the other is the fastest.
 */
export function mountInbound(hono: Hono, app: App, pipeline: RequestPipeline): void {
  const inbound = new Hono({ router: new PatternRouter() })
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
  mountRoutes(inbound, pipeline, { basePath: inboundBasePath, mounted })
  refuseUnknown(inbound, pipeline)
  hono.all(`${inboundBasePath}/webhooks/*`, (c) => inbound.fetch(c.req.raw, c.env))
}
