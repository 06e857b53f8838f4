import { type EventOf, type ParsedEvent, parse } from '@service/webhooks'
import { createWebhookHandler, type WorkerContext } from '@service/webhooks/cloudflare'

export interface Env {
  readonly WEBHOOK_SECRET: string
  /** The queue that producers send to, and the API that the consumer calls. */
  readonly EVENTS: { send(message: string): Promise<unknown> }
  readonly NOTIFY_URL: string
}

interface Batch {
  readonly messages: readonly { readonly body: unknown; ack(): void; retry(): void }[]
}

/** Responds after the queue has stored the event. If that fails, the platform retries the delivery. */
const enqueue = ({ payload }: EventOf<'ticket.created'>, { env }: WorkerContext<Env>) =>
  env.EVENTS.send(JSON.stringify(payload))

async function handle(event: ParsedEvent, { NOTIFY_URL }: Env): Promise<void> {
  if (event.type !== 'ticket.created') return
  const response = await fetch(NOTIFY_URL, { method: 'POST', body: event.payload.ticket.title })
  if (!response.ok) throw new Error(`The API responded with ${response.status}.`)
}

export default {
  fetch: createWebhookHandler<Env>({
    secret: ({ env }) => env.WEBHOOK_SECRET,
    on: { 'ticket.created': enqueue },
  }),
  /** Messages that are not acknowledged are retried, and then go to the dead letter queue, if there is one. */
  async queue({ messages }: Batch, env: Env): Promise<void> {
    for (const message of messages) {
      try {
        await handle(parse(String(message.body)), env)
        message.ack()
      } catch (error) {
        // Cloudflare does not record why a message was retried.
        console.error('A queued event failed and will be retried:', error)
        message.retry()
      }
    }
  },
}
