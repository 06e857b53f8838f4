import { fromNode, type NodeRequest, type NodeResponse, sendReply } from './node/node-request.ts'
import { createReceiver, type HandlerOptions } from './receiver.ts'

/**
 * Creates a handler for the app router.
 *
 * @example
 * export const POST = createWebhookHandler({ secret, on })
 */
export { createWebhookHandler } from './create-webhook-handler.ts'
export type { NodeRequest, NodeResponse } from './node/node-request.ts'
export type { EventHandlers, HandlerOptions } from './receiver.ts'

/**
 * Creates a handler for the pages router. The same file must turn off body parsing, with exactly this line:
 *
 * @example
 * export const config = { api: { bodyParser: false } }
 * export default createPagesHandler({ secret, on })
 */
export function createPagesHandler<Request extends NodeRequest>(
  options: HandlerOptions<Request>,
): (request: Request, response: NodeResponse) => Promise<void> {
  const receive = createReceiver(options)
  return async (request, response) => sendReply(request, response, await receive(fromNode(request), request))
}
