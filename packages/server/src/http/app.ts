import { type Context, Hono } from 'hono'
import { notFound } from '../api-error.ts'
import type { App } from '../context.ts'
import { adminBasePath, mountAdmin } from './admin.ts'
import { mountApi } from './api.ts'
import { mountCors } from './cors.ts'
import { mountDocs } from './docs.ts'
import { type Door, openDoor } from './door.ts'
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
  hono.all(`${adminBasePath}/*`, adminAtFirstRequest(app, door))
  mountDocs(hono, app)
  mountHealth(hono, app)
  mountMetrics(hono, app, door)
  refuseUnknown(hono, door)
  return hono
}

/** Administration has more routes than all else and is asked rarely; a server in a test must not pay for its router. */
function adminAtFirstRequest(app: App, door: Door): (c: Context) => Response | Promise<Response> {
  let admin: Hono | undefined
  const open = () => {
    const opened = new Hono()
    mountAdmin(opened, app, door)
    refuseUnknown(opened, door)
    return opened
  }
  return (c) => {
    admin ??= open()
    return admin.fetch(c.req.raw, c.env)
  }
}

function refuseUnknown(hono: Hono, door: Door): void {
  const unknown = door.guard('unknown', () => Promise.reject(notFound('route')))
  hono.notFound(async (c) => (await unknown(c, async () => undefined)) ?? c.body(null, 404))
}
