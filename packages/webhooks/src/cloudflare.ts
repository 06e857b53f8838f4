import { createFetchReceiver } from './create-webhook-handler.ts'
import type { HandlerOptions } from './receiver.ts'

export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** What a Worker is given for a request; your functions get all of it. */
export interface WorkerContext<Env> {
  readonly request: Request
  readonly env: Env
  readonly execution: { waitUntil(promise: Promise<unknown>): void }
}

/**
 * A `fetch` for a Worker. The secret is a binding, so it is found per request.
 *
 * @example
 * export default {
 *   fetch: createWebhookHandler<Env>({ secret: ({ env }) => env.WEBHOOK_SECRET, on }),
 * }
 */
export function createWebhookHandler<Env>(
  options: HandlerOptions<WorkerContext<Env>>,
): (request: Request, env: Env, execution: WorkerContext<Env>['execution']) => Promise<Response> {
  const receive = createFetchReceiver(options, ({ request }: WorkerContext<Env>) => request)
  return (request, env, execution) => receive({ request, env, execution })
}
