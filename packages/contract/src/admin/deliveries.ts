import * as z from 'zod/mini'
import { type EventName, type EventResource, eventNames, eventResources, eventSchemas } from '../events.ts'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { idFilter, pageOf, pageQuery, wholeListOf } from './pages.ts'
import { action, create, list, read, workspace } from './route-kinds.ts'
import { SinceOrDry, TestEvent } from './webhook-input.ts'

export const deliveryStates = ['pending', 'succeeded', 'failed', 'held'] as const

export type DeliveryState = (typeof deliveryStates)[number]

export const DeliveryQuery = z.object({
  ...pageQuery,
  subscription_id: idFilter,
  /** Those that are retrying are pending and have failed before. */
  state: z.optional(z.enum([...deliveryStates, 'retrying'])),
  /** Searched among the newest 10,000 deliveries. */
  uuid: z.optional(z.uuid()),
})

const delivery = {
  id: integerId,
  /** What the receiver sees in `X-Service-Delivery`. */
  uuid: z.string(),
  subscription_id: integerId,
  event_id: integerId,
  event: z.string(),
  is_test: z.boolean(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  next_attempt_at: z.nullable(instant),
  /** Why the last attempt failed. */
  error: z.nullable(z.string()),
  created_at: instant,
  finished_at: z.nullable(instant),
}

/** The delivery of one event to one subscription, and its outcome. */
export const Delivery = z.object(delivery)

export type Delivery = z.output<typeof Delivery>

/** With the request body. */
export const DeliveryWithBody = z.object({ ...delivery, body: z.string() })

export type DeliveryWithBody = z.output<typeof DeliveryWithBody>

/** A stored event. Subscribers receive its body. */
export const Event = z.object({ id: integerId, name: z.enum(eventNames), body: z.string(), created_at: instant })

/** One request that was made for a delivery. */
export const DeliveryAttempt = z.object({
  id: integerId,
  number: z.int(),
  started_at: instant,
  duration_ms: z.int(),
  outcome: z.string(),
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
  response: z.nullable(z.string()),
  ip: z.nullable(z.string()),
})

export type DeliveryAttempt = z.output<typeof DeliveryAttempt>

/** A job that works on many deliveries. It continues after a restart. */
export const DeliveryJob = z.object({
  id: integerId,
  kind: z.enum(['hold', 'recover', 'replay']),
  subscription_id: integerId,
  state: z.enum(['running', 'finished']),
  /** Deliveries changed or created so far. */
  done: z.int(),
  /** From 0 to 1. Null if the total is unknown. */
  progress: z.nullable(z.number()),
  created_at: instant,
  finished_at: z.nullable(instant),
})

export type DeliveryJob = z.output<typeof DeliveryJob>

/** The request of a delivery, with a valid signature. Values of the subscription's own headers are hidden. */
export const DeliveryRequest = z.object({
  url: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
})

export type DeliveryRequest = z.output<typeof DeliveryRequest>

const someFields = z.optional(z.record(z.string(), z.unknown()))

const Overrides = z.strictObject(
  Object.fromEntries(eventResources.map((resource) => [resource, someFields])) as Record<
    EventResource,
    typeof someFields
  >, // Object.fromEntries forgets the literal keys
)

/** The event to trigger, and values for it. */
export const TriggerInput = z.object({ event: z.enum(eventNames), overrides: z.optional(Overrides) })

type EventSchema = (typeof eventSchemas)[EventName]

const AnyEvent: z.ZodMiniUnion<readonly EventSchema[]> = z.union(Object.values(eventSchemas))

/** Retrying deliveries have attempts left, failed ones were given up, and held ones wait for their subscription. */
const RecoverableCount = z.object({ count: z.int(), retrying: z.int(), failed: z.int(), held: z.int() })
const JobOrRecoverable = z.union([z.object({ job_id: integerId }), RecoverableCount])
const JobOrCount = z.union([z.object({ job_id: integerId }), z.object({ count: z.int() })])

const deliveries = `${workspace}/deliveries` as const
const delivered = `${deliveries}/{id}` as const
const jobs = `${workspace}/delivery-jobs` as const
const webhook = `${workspace}/webhooks/{id}` as const
const manage = { role: 'admin', scope: 'webhooks:manage' } as const
const reading = { ...read, ...manage } as const
const listing = { ...list, ...manage } as const
const sending = { ...create, ...manage } as const

export const deliveryAdminRoutes = [
  {
    ...listing,
    operation: 'deliveries.list',
    path: deliveries,
    query: DeliveryQuery,
    responses: { 200: pageOf(Delivery) },
  },
  { ...reading, operation: 'deliveries.get', path: delivered, responses: { 200: DeliveryWithBody } },
  {
    ...reading,
    operation: 'deliveries.attempts',
    path: `${delivered}/attempts`,
    responses: { 200: wholeListOf(DeliveryAttempt) },
  },
  {
    ...reading,
    operation: 'deliveries.curl',
    path: `${delivered}/curl`,
    responses: { 200: z.object({ curl: z.string() }) },
  },
  { ...reading, operation: 'deliveries.request', path: `${delivered}/request`, responses: { 200: DeliveryRequest } },
  {
    ...action,
    ...manage,
    operation: 'deliveries.resend',
    path: `${delivered}/resend`,
    responses: { 200: DeliveryWithBody },
  },
  {
    ...sending,
    operation: 'webhooks.sendTest',
    path: `${webhook}/test`,
    body: TestEvent,
    responses: { 200: DeliveryWithBody },
  },
  {
    ...sending,
    operation: 'webhooks.recover',
    path: `${webhook}/recover`,
    body: SinceOrDry,
    responses: { 200: JobOrRecoverable },
  },
  {
    ...sending,
    operation: 'webhooks.replayMissing',
    path: `${webhook}/replay-missing`,
    body: SinceOrDry,
    responses: { 200: JobOrCount },
  },
  { ...listing, operation: 'webhooks.jobs', path: jobs, responses: { 200: pageOf(DeliveryJob) } },
  { ...reading, operation: 'webhooks.job', path: `${jobs}/{id}`, responses: { 200: DeliveryJob } },
  { ...listing, operation: 'events.list', path: `${workspace}/events`, responses: { 200: pageOf(Event) } },
  {
    ...create,
    role: 'admin',
    operation: 'events.trigger',
    path: `${workspace}/trigger`,
    body: TriggerInput,
    responses: { 200: AnyEvent },
  },
] as const satisfies readonly AdminRoute[]
