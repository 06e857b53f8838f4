import type { Hono } from 'hono'
import { notFound } from '../core/errors.ts'
import type { RequestPipeline } from './request-pipeline.ts'

/** What no route is for is 404, and counts as a request of whoever asks. */
export function refuseUnknown(hono: Hono, pipeline: RequestPipeline): void {
  const unknown = pipeline.wrapHandler('unknown', async (c, context) => {
    await pipeline.admit(c.req.raw, context)
    throw notFound('route')
  })
  hono.notFound(async (c) => (await unknown(c, async () => undefined)) ?? c.body(null, 404))
}
