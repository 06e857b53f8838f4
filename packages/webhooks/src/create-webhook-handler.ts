import { createReceiver, type HandlerOptions, type Reply } from './receiver.ts'
import { readRequest } from './request-body.ts'

/**
 * A fetch handler that verifies deliveries and runs your function for each event: for every framework that speaks
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

/** The same for frameworks that wrap the `Request` in a context. */
export function createFetchReceiver<Context>(
  options: HandlerOptions<Context>,
  requestOf: (context: Context) => Request,
): (context: Context) => Promise<Response> {
  const receive = createReceiver(options)
  return async (context) => {
    const request = requestOf(context)
    const { method, headers } = request
    return toResponse(await receive({ method, headers, read: (limits) => readRequest(request, limits) }, context))
  }
}

const toResponse = ({ status, headers, body }: Reply) => new Response(body || null, { status, headers })
