import { apiRoutes, inboundRoutes } from '@service/contract'
import type { Hono } from 'hono'
import { cors } from 'hono/cors'

/** Off unless origins are configured: a browser should not hold a workspace token. */
export function mountCors(hono: Hono, { corsOrigins }: { readonly corsOrigins: readonly string[] }): void {
  if (corsOrigins.length === 0) return
  hono.use(
    '/api/*',
    cors({
      origin: [...corsOrigins],
      allowMethods: [...new Set([...apiRoutes, ...inboundRoutes].map(({ method }) => method))],
      allowHeaders: [
        'authorization',
        'content-encoding',
        'content-type',
        'idempotency-key',
        'traceparent',
        'x-request-id',
      ],
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
