import { fromNode, type NodeRequest } from './node/node-request.ts'
import { createReceiver, type HandlerOptions } from './receiver.ts'

export type { NodeRequest } from './node/node-request.ts'
export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** What is needed of Koa's context. */
export interface KoaContext {
  readonly req: NodeRequest
  readonly request: object
  status: number
  body: unknown
  set(headers: Record<string, string>): unknown
}

/**
 * A middleware for Koa that answers deliveries. Put it before the body parser. Errors of your functions fly to Koa.
 *
 * @example
 * app.use(mount('/webhooks', createWebhookHandler({ secret, on })))
 */
export function createWebhookHandler<Context extends KoaContext>(
  options: HandlerOptions<Context>,
): (context: Context) => Promise<void> {
  const receive = createReceiver(options)
  return async (context) => {
    // A parser leaves what it has read on Koa's own request object.
    const { status, headers, body } = await receive(fromNode(context.req, context.request), context)
    context.status = status
    context.set(headers)
    context.body = body || null
    // Koa makes 204 of an empty body, whatever the status was.
    context.status = status
  }
}
