import { fromNode, type NodeRequest } from './node/node-request.ts'
import { createReceiver, type HandlerOptions } from './receiver.ts'

export type { NodeRequest } from './node/node-request.ts'
export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** The properties of Koa's context that the middleware uses. */
export interface KoaContext {
  readonly req: NodeRequest
  readonly request: object
  status: number
  body: unknown
  set(headers: Record<string, string>): unknown
}

/**
 * Creates Koa middleware that answers deliveries. Put it before the body parser. Koa handles errors of your functions.
 *
 * @example
 * app.use(mount('/webhooks', createWebhookHandler({ secret, on })))
 */
export function createWebhookHandler<Context extends KoaContext>(
  options: HandlerOptions<Context>,
): (context: Context) => Promise<void> {
  const receive = createReceiver(options)
  return async (context) => {
    // Parsers store the body on Koa's own request object.
    const { status, headers, body } = await receive(fromNode(context.req, context.request), context)
    context.set(headers)
    context.body = body || null
    // Koa changes the status to 204 when the body is empty.
    context.status = status
  }
}
