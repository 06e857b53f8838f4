import { fromNode, type NodeRequest, type NodeResponse, sendReply } from './node/node-request.ts'
import { createReceiver, type HandlerOptions } from './receiver.ts'

export type { NodeRequest, NodeResponse } from './node/node-request.ts'
export type { EventHandlers, HandlerOptions } from './receiver.ts'

/**
 * Creates a listener for `node:http`. If one of your functions throws, it responds with 500 and passes the error
 * to `onError`, which also gets errors after the response.
 *
 * @example
 * createServer(createWebhookHandler({ secret, on, onError: (error) => log.error(error) })).listen(8080)
 */
export function createWebhookHandler<Request extends NodeRequest>(
  options: HandlerOptions<Request> & { readonly onError: (error: unknown, request: Request) => void },
): (request: Request, response: NodeResponse) => Promise<void> {
  const receive = createReceiver(options)
  return async (request, response) => {
    try {
      sendReply(request, response, await receive(fromNode(request), request))
    } catch (error) {
      sendReply(request, response, { status: 500, headers: {}, body: '' })
      options.onError(error, request)
    }
  }
}
