import { fromNode, type NodeRequest, type NodeResponse, sendReply } from './node/node-request.ts'
import { createReceiver, type HandlerOptions } from './receiver.ts'
import { runCallback } from './run-callback.ts'

export type { NodeRequest, NodeResponse } from './node/node-request.ts'
export type { EventHandlers, HandlerOptions } from './receiver.ts'

/**
 * Creates a listener for `node:http`. If one of your functions throws, it responds with 500 and passes the error
 * to `onError`, which also gets errors after the response. By default, `onError` is `console.error`.
 *
 * @example
 * createServer(createWebhookHandler({ secret, on, onError: (error) => log.error(error) })).listen(8080)
 */
export function createWebhookHandler<Request extends NodeRequest>(
  options: HandlerOptions<Request>,
): (request: Request, response: NodeResponse) => Promise<void> {
  // biome-ignore lint/suspicious/noConsole: without a logger, the operator must still see why deliveries fail
  const { onError = (error: unknown) => console.error(error) } = options
  const receive = createReceiver({ ...options, onError })
  return async (request, response) => {
    try {
      sendReply(request, response, await receive(fromNode(request), request))
    } catch (error) {
      sendReply(request, response, { status: 500, headers: {}, body: '' })
      await runCallback(() => onError(error, request), error)
    }
  }
}
