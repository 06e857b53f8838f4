import { createFetchReceiver } from './create-webhook-handler.ts'
import { refuseConsumed } from './read-body.ts'
import type { HandlerOptions } from './receiver.ts'

export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** The properties of Hono's context that the handler uses. */
export interface HonoContext {
  readonly req: { readonly raw: Request; arrayBuffer(): Promise<ArrayBuffer> }
}

/**
 * Creates a handler for Hono. Errors that your functions throw reach `app.onError`.
 *
 * @example
 * app.post('/webhooks', createWebhookHandler({ secret: (c: Context<Env>) => c.env.WEBHOOK_SECRET, on }))
 */
export const createWebhookHandler = <Context extends HonoContext>(
  options: HandlerOptions<Context>,
): ((context: Context) => Promise<Response>) =>
  createFetchReceiver(
    options,
    ({ req }) => req.raw,
    // Middleware that read the body through the context has left it in Hono's cache.
    ({ req }) => req.arrayBuffer().catch(refuseConsumed),
  )
