import { createFetchReceiver } from './create-webhook-handler.ts'
import type { HandlerOptions } from './receiver.ts'

export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** What is needed of Hono's context. */
export interface HonoContext {
  readonly req: { readonly raw: Request }
}

/**
 * A handler for Hono. Errors of your functions fly to `app.onError`.
 *
 * @example
 * app.post('/webhooks', createWebhookHandler({ secret: (c: Context<Env>) => c.env.WEBHOOK_SECRET, on }))
 */
export const createWebhookHandler = <Context extends HonoContext>(
  options: HandlerOptions<Context>,
): ((context: Context) => Promise<Response>) => createFetchReceiver(options, ({ req }) => req.raw)
