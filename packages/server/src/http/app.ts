import { Hono } from 'hono'
import { notFound } from '../api-error.ts'
import type { App } from '../context.ts'
import { mountAdmin } from './admin.ts'
import { mountApi } from './api.ts'
import { mountCors } from './cors.ts'
import { mountDocs } from './docs.ts'
import { openDoor } from './door.ts'
import { mountHealth } from './health.ts'
import { mountInbound } from './inbound.ts'
import { countVisits, mountMetrics } from './metrics.ts'

/** All doors of the platform behind one `fetch`. */
export function createHttp(app: App): Hono {
  const hono = new Hono()
  const door = countVisits(openDoor(app), app.metrics)
  mountCors(hono, app)
  mountApi(hono, app, door)
  mountInbound(hono, app, door)
  mountAdmin(hono, app, door)
  mountDocs(hono, app)
  mountHealth(hono, app)
  mountMetrics(hono, app, door)
  const unknown = door.guard('unknown', () => Promise.reject(notFound('route')))
  hono.notFound(async (c) => (await unknown(c, async () => undefined)) ?? c.body(null, 404))
  return hono
}
