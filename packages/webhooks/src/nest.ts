import type { WebhookEvent } from './event.ts'
import type { NodeRequest } from './node/node-request.ts'
import { readBody } from './node/read-body.ts'
import type { Checks, Secrets } from './options.ts'
import { requireSecrets } from './secrets.ts'
import { verify } from './verify.ts'

// Nest registers its parsers when it starts, after `app.use`, so Express' handler works there on either platform.
export { createWebhookHandler } from './express.ts'
export type { NodeRequest } from './node/node-request.ts'
export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** What is needed of Nest's execution context. */
export interface NestContext {
  switchToHttp(): { getRequest(): NodeRequest & { webhookEvent?: WebhookEvent } }
}

/**
 * A guard for a controller that wants to handle the event itself, as `request.webhookEvent`. The application must keep raw
 * bodies: `NestFactory.create(AppModule, { rawBody: true })`. Nest answers the status of the error that a refusal throws.
 *
 * @example
 * \@UseGuards(createWebhookGuard({ secret }))
 */
export function createWebhookGuard(options: Checks & { readonly secret: Secrets }) {
  requireSecrets(options.secret)
  return {
    async canActivate(context: NestContext): Promise<true> {
      const request = context.switchToHttp().getRequest()
      const body = await readBody(request, [request.rawBody, request.body], options)
      request.webhookEvent = await verify({ ...options, body, headers: request.headers })
      return true
    },
  }
}
