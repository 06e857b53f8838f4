import * as z from 'zod/mini'
import { eventNames } from '../events.ts'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import { get, post, remove, WaitMs, WithId } from './control-route.ts'

const workspace = z.optional(z.int())

const chance = z.optional(z.union([z.boolean(), z.number()]))

const duration = z.union([z.string(), z.number()])

/** A fault of deliveries: which ones fail, and how. The server rejects impossible combinations. */
const NewDeliveryFault = z.object({
  match: z.optional(z.union([z.string(), z.array(z.string())])),
  times: z.optional(z.number()),
  duplicate: chance,
  shuffle: chance,
  delay: z.optional(duration),
  drop: chance,
  bad_signature: chance,
  old_timestamp: z.optional(z.union([z.boolean(), duration])),
})

const CapturedEvent = z.object({
  event: z.unknown(),
  headers: z.record(z.string(), z.string()),
  /** The bytes as text. */
  body: z.string(),
  attempt: z.int(),
  delivery_id: z.string(),
})

export const inboxControlRoutes = [
  {
    ...post,
    operation: 'inboxes.open',
    path: '/inboxes',
    body: z.object({ events: z._default(z.array(z.string()), ['*']), workspace }),
    responses: { 200: dataOf(z.object({ id: z.int(), url: z.string(), secret: z.string() })) },
  },
  {
    ...post,
    operation: 'inboxes.next',
    path: '/inboxes/{id}/next',
    body: z.object({ event: z._default(z.string(), '*'), timeout_ms: WaitMs }),
    responses: { 200: dataOf(CapturedEvent) },
  },
  { ...get, operation: 'inboxes.list', path: '/inboxes/{id}', responses: { 200: dataOf(z.array(CapturedEvent)) } },
  {
    ...get,
    operation: 'inboxes.deliveries',
    path: '/inboxes/{id}/deliveries',
    responses: { 200: dataOf(z.array(z.unknown())) },
  },
  {
    ...post,
    operation: 'inboxes.respondWith',
    path: '/inboxes/{id}/respond-with',
    body: z.object({ answers: z.array(z.union([z.int(), z.literal('timeout')])) }),
  },
  { ...remove, operation: 'inboxes.close', path: '/inboxes/{id}' },
  {
    ...post,
    operation: 'deliveryFaults.add',
    path: '/delivery-faults',
    body: NewDeliveryFault,
    responses: { 200: dataOf(WithId) },
  },
  { ...remove, operation: 'deliveryFaults.remove', path: '/delivery-faults/{id}' },
  {
    ...post,
    operation: 'events.trigger',
    path: '/trigger',
    body: z.object({
      event: z.enum(eventNames),
      overrides: z._default(z.looseObject({}), {}),
      workspace,
    }),
    responses: { 200: dataOf(z.unknown()) },
  },
] as const satisfies readonly ControlRoute[]
