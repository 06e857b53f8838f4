import type { RawBody } from './options.ts'
import { type BodyLimits, refuseConsumed } from './read-body.ts'
import { readRequest } from './read-request.ts'
import { createReceiver, type HandlerOptions } from './receiver.ts'

/**
 * Creates a fetch handler that verifies deliveries and runs your function for each event. For frameworks that use
 * `Request` and `Response`.
 *
 * @example
 * const handler = createWebhookHandler({
 *   secret: process.env.WEBHOOK_SECRET ?? '',
 *   on: { 'ticket.created': ({ payload }) => notify(payload.ticket.title) },
 * })
 */
export function createWebhookHandler(options: HandlerOptions<Request>): (request: Request) => Promise<Response> {
  return createFetchReceiver(options, (request) => request)
}

/** `createWebhookHandler` for frameworks that wrap the `Request` in a context. */
export function createFetchReceiver<Context>(
  options: HandlerOptions<Context>,
  requestOf: (context: Context) => Request,
  readUsed: (context: Context) => Promise<RawBody> = refuseConsumed,
): (context: Context) => Promise<Response> {
  const receive = createReceiver(options)
  return async (context) => {
    const request = requestOf(context)
    const { method, headers } = request
    const read = (limits: BodyLimits) => (request.bodyUsed ? readUsed(context) : readRequest(request, limits))
    const { body, ...head } = await receive({ method, headers, read }, context)
    return new Response(body || null, head)
  }
}
