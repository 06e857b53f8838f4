import type { Hono } from 'hono'
import type { App } from '../context.ts'
import { describeFault } from '../log.ts'

/** `/livez`: the process answers. `/readyz`: the database answers too. */
export function mountHealth(hono: Hono, app: App): void {
  hono.get('/livez', () => Response.json({ status: 'ok' }))
  hono.get('/readyz', async () => {
    try {
      await app.store.ping()
      return Response.json({ status: 'ok' })
    } catch (fault) {
      app.log.error('The database does not answer.', describeFault(fault))
      return Response.json({ status: 'unavailable', reason: 'database' }, { status: 503 })
    }
  })
}
