import type { WebhookEvent } from './event.ts'
import type { NodeRequest } from './node/node-request.ts'
import { readBody } from './node/read-body.ts'
import type { Checks, Secrets } from './options.ts'
import { requireCheckOptions } from './require-options.ts'
import { verify } from './verify.ts'

// Nest registers its parsers at startup, after `app.use`, so the Express handler works on both platforms.
export { createWebhookHandler } from './express.ts'
export type { NodeRequest } from './node/node-request.ts'
export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** The methods of Nest's execution context that the guard uses. */
export interface NestContext {
  switchToHttp(): { getRequest(): NodeRequest & { webhookEvent?: WebhookEvent } }
}

/**
 * Creates a guard for a controller that handles the event itself, as `request.webhookEvent`. The app must keep raw
 * bodies: `NestFactory.create(AppModule, { rawBody: true })`. On Express, it must also accept bodies of more than 100 kB:
 * `app.useBodyParser('json', { limit: '1mb' })`. Nest responds with the status of the thrown error, and logs it.
 *
 * @example
 * \@UseGuards(createWebhookGuard({ secret }))
 */
export function createWebhookGuard(options: Checks & { readonly secret: Secrets }) {
  requireCheckOptions(options)
  return {
    async canActivate(context: NestContext): Promise<true> {
      const request = context.switchToHttp().getRequest()
      const body = await readBody(request, [request.rawBody, request.body], options)
      request.webhookEvent = await verify({ ...options, body, headers: request.headers })
      return true
    },
  }
}
