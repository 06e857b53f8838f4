import type { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { App } from '../context.ts'

/** Off unless origins are configured: a browser should not hold a workspace's token. */
export function mountCors(hono: Hono, app: App): void {
  const { corsOrigins } = app.config
  if (corsOrigins.length === 0) return
  hono.use(
    '/api/*',
    cors({
      origin: corsOrigins,
      allowMethods: ['GET', 'POST'],
      allowHeaders: ['authorization', 'content-type', 'idempotency-key', 'x-request-id'],
      exposeHeaders: [
        'www-authenticate',
        'x-request-id',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'retry-after',
        'idempotency-replayed',
      ],
      maxAge: 600,
    }),
  )
}
