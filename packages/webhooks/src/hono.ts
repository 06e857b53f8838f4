import { createFetchReceiver } from './create-webhook-handler.ts'
import type { HandlerOptions } from './receiver.ts'

export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** The properties of Hono's context that the handler uses. */
export interface HonoContext {
  readonly req: { readonly raw: Request }
}

/**
 * Creates a handler for Hono. Errors that your functions throw reach `app.onError`.
 *
 * @example
 * app.post('/webhooks', createWebhookHandler({ secret: (c: Context<Env>) => c.env.WEBHOOK_SECRET, on }))
 */
export const createWebhookHandler = <Context extends HonoContext>(
  options: HandlerOptions<Context>,
): ((context: Context) => Promise<Response>) => createFetchReceiver(options, ({ req }) => req.raw)
