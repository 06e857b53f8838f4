import { createFetchReceiver } from './create-webhook-handler.ts'
import type { HandlerOptions } from './receiver.ts'

export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** What a Worker receives for a request. Your functions receive all of it. */
export interface WorkerContext<Env> {
  readonly request: Request
  readonly env: Env
  readonly execution: { waitUntil(promise: Promise<unknown>): void }
}

/**
 * Creates the `fetch` handler of a Worker. The secret is a binding, so the handler reads it on each request. Functions
 * that run after the response are passed to `waitUntil`.
 *
 * @example
 * export default {
 *   fetch: createWebhookHandler<Env>({ secret: ({ env }) => env.WEBHOOK_SECRET, on }),
 * }
 */
export function createWebhookHandler<Env>(
  options: HandlerOptions<WorkerContext<Env>>,
): (request: Request, env: Env, execution: WorkerContext<Env>['execution']) => Promise<Response> {
  const waitUntil: typeof options.waitUntil = (work, { execution }) => execution.waitUntil(work)
  const receive = createFetchReceiver(
    { ...options, waitUntil: options.waitUntil ?? waitUntil },
    ({ request }: WorkerContext<Env>) => request,
  )
  return (request, env, execution) => receive({ request, env, execution })
}
