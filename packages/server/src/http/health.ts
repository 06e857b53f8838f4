import type { Hono } from 'hono'
import type { App } from '../context.ts'
import { jsonHeaders } from './error-response.ts'

/**
 * `/livez`: the process answers. `/readyz`: the server is not stopping, and its database can be read and written. One that
 * can only be read (a full disk, a standby) is not ready, and says so: a load balancer may then keep reading from it. The
 * log says which file is damaged.
 */
export function mountHealth(hono: Hono, app: App): void {
  hono.get('/livez', () => Response.json({ status: 'ok' }, { headers: jsonHeaders }))
  hono.get('/readyz', async () => {
    if (app.lifecycle.isDraining()) return notReady({ reason: 'draining' })
    const { canRead, canWrite, damaged } = await app.store.health()
    const database = { read: word(canRead), write: word(canWrite) }
    if (canRead && canWrite) return Response.json({ status: 'ok', database }, { headers: jsonHeaders })
    return notReady({ reason: damaged === undefined ? 'database' : 'database_damaged', database })
  })
}

const word = (works: boolean) => (works ? 'ok' : 'unavailable')

const notReady = (why: { readonly reason: string; readonly database?: object }) =>
  Response.json({ status: 'unavailable', ...why }, { status: 503, headers: { ...jsonHeaders, 'retry-after': '1' } })
