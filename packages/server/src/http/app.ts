import { Hono } from 'hono'
import { notFound } from '../api-error.ts'
import type { App } from '../context.ts'
import { mountApi } from './api.ts'
import { mountCors } from './cors.ts'
import { mountDocs } from './docs.ts'
import { openDoor } from './door.ts'
import { mountHealth } from './health.ts'

/** All doors of the platform behind one `fetch`. */
export function createHttp(app: App): Hono {
  const hono = new Hono()
  const door = openDoor(app)
  mountCors(hono, app)
  mountApi(hono, app, door)
  mountDocs(hono, app)
  mountHealth(hono, app)
  const unknown = door.guard('unknown', () => Promise.reject(notFound('route')))
  hono.notFound(async (c) => (await unknown(c, async () => undefined)) ?? c.body(null, 404))
  return hono
}
