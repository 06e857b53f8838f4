import type { Hono } from 'hono'
import type { App } from '../core/context.ts'
import type { Metrics } from '../core/metrics.ts'
import { stopwatchMs } from '../core/real-timers.ts'
import { deliveryGauges } from '../delivery/gauges.ts'
import { adminLogin } from './admin-login.ts'
import { instanceGauges } from './instance-gauges.ts'
import type { RequestPipeline } from './request-pipeline.ts'

/** `GET /metrics` for Prometheus, with the token of administration. */
export function mountMetrics(hono: Hono, app: App, pipeline: RequestPipeline): void {
  const requireAdmin = adminLogin(app)
  const path = '/metrics'
  hono.get(
    path,
    pipeline.wrapHandler(path, async (c, context) => {
      await requireAdmin(c.req.raw, context.address)
      const json = app.metrics.toText({ ...(await deliveryGauges(app)), ...(await instanceGauges(app)) })
      return { status: 200, json, contentType: 'text/plain; version=0.0.4; charset=utf-8' }
    }),
  )
}

/** The same pipeline, with a counter beside it. */
export const countRequests = (pipeline: RequestPipeline, metrics: Metrics): RequestPipeline => ({
  ...pipeline,
  wrapHandler: (route, answer) => {
    const handle = pipeline.wrapHandler(route, answer)
    return async (c, next) => {
      const startedAt = stopwatchMs()
      const response = await handle(c, next)
      const status = response instanceof Response ? response.status : 0
      metrics.request({ method: c.req.method, route, status, durationMs: stopwatchMs() - startedAt })
      return response
    }
  },
})
