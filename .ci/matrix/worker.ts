/** Compiled against `@cloudflare/workers-types`, whose globals exclude those of browsers and Node. */
import { createClient } from '@service/client'
import { createWebhookHandler as createFetchHandler, type EventHandlers } from '@service/webhooks'
import { createWebhookHandler, type WorkerContext } from '@service/webhooks/cloudflare'
import { dedupe, memoryStore } from '@service/webhooks/dedupe'

interface Env {
  readonly WEBHOOK_SECRET: string
  readonly SERVICE_TOKEN: string
  readonly EVENTS: Queue<string>
}

const on: EventHandlers<WorkerContext<Env>> = {
  'ticket.created': ({ payload }, { env, execution, request }) => {
    execution.waitUntil(env.EVENTS.send(payload.ticket.title))
    console.log(new URL(request.url).pathname)
  },
}

export const worker = {
  fetch: createWebhookHandler<Env>({
    secret: ({ env }) => env.WEBHOOK_SECRET,
    on,
    dedupe: dedupe({ store: memoryStore() }),
  }),
  async queue({ messages }, { SERVICE_TOKEN: token }) {
    const client = createClient({ baseUrl: 'https://example.com/api/v1', token, workspace: 1, fetch })
    for (const { body } of messages) await client.tickets.create({ title: body })
  },
} satisfies ExportedHandler<Env, string>

const receive = createFetchHandler({ secret: 'secret', on: { unknown: () => undefined } })
export const withoutBindings = { fetch: (request) => receive(request) } satisfies ExportedHandler
