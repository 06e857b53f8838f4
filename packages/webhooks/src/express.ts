import { fromNode, type NodeRequest, type NodeResponse, sendReply } from './node/node-request.ts'
import { createReceiver, type HandlerOptions } from './receiver.ts'

export type { NodeRequest, NodeResponse } from './node/node-request.ts'
export type { EventHandlers, HandlerOptions } from './receiver.ts'

/**
 * Creates a handler for Express 4 and 5. Put it before `express.json()`, or keep the raw body there, with `limit: '1mb'`.
 * Errors that your functions throw go to `next`.
 *
 * @example
 * app.post('/webhooks', createWebhookHandler({ secret, on: { 'ticket.created': ({ payload }) => notify(payload) } }))
 */
export function createWebhookHandler<Request extends NodeRequest>(
  options: HandlerOptions<Request>,
): (request: Request, response: NodeResponse, next: (error?: unknown) => void) => void {
  const receive = createReceiver(options)
  return (request, response, next) => {
    receive(fromNode(request), request)
      .then((reply) => sendReply(request, response, reply))
      .catch(next)
  }
}
