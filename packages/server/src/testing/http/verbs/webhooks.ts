import { eventNames } from '@service/contract'
import * as z from 'zod/mini'
import type { CapturedEvent } from '../../webhooks/captured-event.ts'
import type { EventPattern } from '../../webhooks/patterns.ts'
import { verb, WaitMs } from '../verb.ts'

const Patterns = z._default(z.array(z.string()), ['*'])
const workspace = z.optional(z.int())

/** Headers and bytes as JSON has them. */
const toJson = ({ event, headers, body, attempt, deliveryId }: CapturedEvent) => ({
  event,
  headers: Object.fromEntries(headers),
  body: Buffer.from(body).toString('utf8'),
  attempt,
  delivery_id: deliveryId,
})

export const webhookVerbs = [
  verb({
    method: 'POST',
    path: '/inboxes',
    says: 'Subscribes an inbox inside the server to events: names, families such as `ticket.*`, or `*`.',
    body: z.object({ events: Patterns, workspace }),
    async run(server, { body, desk }) {
      const events = body.events as EventPattern[] // `capture` refuses what fits no event, in words
      const inbox = server.webhooks.capture(events, body.workspace === undefined ? {} : { workspace: body.workspace })
      await inbox.ready
      return { id: desk.inboxes.put(inbox), url: inbox.url, secret: inbox.secret }
    },
  }),
  verb({
    method: 'POST',
    path: '/inboxes/{id}/next',
    says: 'The next event, as soon as there is one; 409 with what came instead after `timeout_ms`.',
    body: z.object({ event: z._default(z.string(), '*'), timeout_ms: WaitMs }),
    async run(_, { body, params, desk }) {
      const event = body.event as EventPattern // refused in words when it fits no event
      return toJson(await desk.inboxes.get(params['id']).next(event, { timeout: body.timeout_ms }))
    },
  }),
  verb({
    method: 'GET',
    path: '/inboxes/{id}',
    says: 'Every event that an inbox has taken.',
    run: (_, { params, desk }) => desk.inboxes.get(params['id']).all().map(toJson),
  }),
  verb({
    method: 'GET',
    path: '/inboxes/{id}/deliveries',
    says: 'What the platform sent to an inbox, how often, and what came of it.',
    run: (_, { params, desk }) => desk.inboxes.get(params['id']).deliveries(),
  }),
  verb({
    method: 'POST',
    path: '/inboxes/{id}/respond-with',
    says: 'What an inbox answers to the next requests, in this order: statuses, or "timeout". Then 200.',
    body: z.object({ answers: z.array(z.union([z.int(), z.literal('timeout')])) }),
    run: (_, { body, params, desk }) => desk.inboxes.get(params['id']).respondWith(...body.answers),
  }),
  verb({
    method: 'DELETE',
    path: '/inboxes/{id}',
    says: 'Ends the subscriptions of an inbox.',
    run: (_, { params, desk }) => desk.inboxes.take(params['id']).close(),
  }),
  verb({
    method: 'POST',
    path: '/disorders',
    says: 'Has deliveries come twice, late, in another order, altered or not at all.',
    body: z.looseObject({}),
    run: (server, { body, desk }) => ({ id: desk.disorders.put(server.webhooks.disorder(body)) }),
  }),
  verb({
    method: 'DELETE',
    path: '/disorders/{id}',
    says: 'Ends a disorder.',
    run: (_, { params, desk }) => desk.disorders.take(params['id']).remove(),
  }),
  verb({
    method: 'POST',
    path: '/trigger',
    says: 'Has an event happen to a real object, whose id can be read; answers with what is sent.',
    body: z.object({
      event: z.enum(eventNames),
      overrides: z._default(z.looseObject({}), {}),
      workspace,
    }),
    run: (server, { body }) =>
      server.trigger(body.event, {
        ...body.overrides,
        ...(body.workspace === undefined ? {} : { workspace_id: body.workspace }),
      }),
  }),
]
