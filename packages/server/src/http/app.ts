import { adminBasePath } from '@service/contract'
import { Hono } from 'hono'
import type { App } from '../context.ts'
import { lazily } from '../core/lazily.ts'
import { mountApi } from './api.ts'
import { mountCors } from './cors.ts'
import { toLocation } from './dashboard/location.ts'
import type { AnswerAdmin } from './dashboard/page-context.ts'
import { mountDocs } from './docs.ts'
import { answerFailure, jsonHeaders } from './error-response.ts'
import { mountInbound } from './inbound.ts'
import { mountMetrics } from './metrics.ts'
import { refuseUnknown } from './mount-routes.ts'
import { createRequestPipeline, type RequestPipeline } from './request-pipeline.ts'

export function createHttp(app: App): Hono {
  const hono = new Hono()
  hono.onError(answerFailure(app.log))
  const pipeline = createRequestPipeline(app)
  mountCors(hono, app.config)
  mountApi(hono, app, pipeline)
  mountInbound(hono, app, pipeline)
  mountDocs(hono, app.config)
  const admin = lazyAdmin(app, pipeline)
  hono.all(`${adminBasePath}/*`, (c) => admin(c.req.raw, c.env))
  const dashboard = lazyDashboard(app, admin)
  for (const path of ['/dashboard', '/dashboard/*']) hono.all(path, (c) => dashboard(c.req.raw, c.env))
  for (const path of linkPaths) hono.get(path, (c) => dashboard(toDashboardRequest(c.req.raw), c.env))
  // Browsers that open the root URL are redirected to the dashboard.
  hono.get('/', (c, next) =>
    c.req.header('accept')?.includes('text/html') === true ? c.redirect(toLocation(c, app.config).path) : next(),
  )
  mountHealth(hono, app)
  mountMetrics(hono, app, pipeline)
  refuseUnknown(hono, pipeline)
  return hono
}

/** Admin has the most routes and is rarely used, so its schemas and router are loaded on the first request. */
function lazyAdmin(app: App, pipeline: RequestPipeline): AnswerAdmin {
  const open = lazily(async () => (await import('./admin.ts')).createAdminRoutes(app, pipeline))
  return async (request, env) => (await open()).fetch(request, env as object) // set by the adapter
}

/** One-time links are short, because they are printed and sent. The dashboard serves their pages. */
const linkPaths = ['/setup', '/reset-password', '/sign-in']

function toDashboardRequest(request: Request): Request {
  const url = new URL(request.url)
  url.pathname = `/dashboard${url.pathname}`
  return new Request(url, { headers: request.headers })
}

function lazyDashboard(app: App, admin: AnswerAdmin): AnswerAdmin {
  const open = lazily(async () => (await import('./dashboard.ts')).createDashboard(app, admin))
  return async (request, env) => (await open()).fetch(request, env as object) // set by the adapter
}

/** Without a configured path, HAProxy checks a server with `OPTIONS /`, and its own status codes decide. */
const balancerCheck = '/'

/**
 * `/livez`: the process answers. `/readyz`: the server is not stopping, and its database can be read and written. If the
 * database can only be read (a full disk, a standby), the response is 503 and says so, so that a load balancer can keep
 * sending reads here. The log names a damaged file.
 */
function mountHealth(hono: Hono, app: App): void {
  hono.get('/livez', () => Response.json({ status: 'ok' }, { headers: jsonHeaders }))
  const readiness = async () => {
    if (app.lifecycle.isDraining()) return notReady({ reason: 'draining' })
    const { canRead, canWrite, damaged } = await app.store.health()
    const database = { read: availability(canRead), write: availability(canWrite) }
    if (canRead && canWrite) return Response.json({ status: 'ok', database }, { headers: jsonHeaders })
    return notReady({ reason: damaged === undefined ? 'database' : 'database_damaged', database })
  }
  hono.get('/readyz', readiness)
  hono.options(balancerCheck, readiness)
}

const availability = (works: boolean) => (works ? 'ok' : 'unavailable')

const notReady = (details: { readonly reason: string; readonly database?: object }) =>
  Response.json({ status: 'unavailable', ...details }, { status: 503, headers: { ...jsonHeaders, 'retry-after': '1' } })
