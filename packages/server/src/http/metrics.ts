import type { Hono } from 'hono'
import type { App } from '../context.ts'
import { deliveryGauges } from '../delivery/gauges.ts'
import type { Metrics } from '../metrics.ts'
import { adminCheck } from './admin-request.ts'
import type { Door } from './door.ts'

/** `GET /metrics` for Prometheus, with the token of administration. */
export function mountMetrics(hono: Hono, app: App, door: Door): void {
  const requireAdmin = adminCheck(app)
  const path = '/metrics'
  hono.get(
    path,
    door.guard(path, async (c) => {
      requireAdmin(c)
      const json = app.metrics.toText(await deliveryGauges(app))
      return { status: 200, json, contentType: 'text/plain; version=0.0.4; charset=utf-8' }
    }),
  )
}

/** The same door, with a counter beside it. */
export const countVisits = (door: Door, metrics: Metrics): Door => ({
  ...door,
  guard: (route, answer) => {
    const handle = door.guard(route, answer)
    return async (c, next) => {
      const response = await handle(c, next)
      metrics.request(c.req.method, route, response instanceof Response ? response.status : 0)
      return response
    }
  },
})
