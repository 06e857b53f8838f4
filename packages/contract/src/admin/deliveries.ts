import * as z from 'zod/mini'
import { type EventName, eventNames, eventSchemas } from '../events.ts'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
import { actionRefusals, listRefusals, PageQuery, pageOf, pageQuery, readRefusals, writeRefusals } from './pages.ts'
import { SinceOrDry, TestEvent } from './webhook-input.ts'

export const deliveryStates = ['pending', 'succeeded', 'failed', 'held'] as const
export type DeliveryState = (typeof deliveryStates)[number]

const DeliveryQuery = z.object({
  ...pageQuery,
  subscription_id: z.optional(z.coerce.number().check(z.int(), z.positive())),
  state: z.optional(z.enum(deliveryStates)),
  /** Looked for among the newest 10,000. */
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
/** One event for one subscription, and what became of it. */
export const Delivery = z.object(delivery)
export type Delivery = z.output<typeof Delivery>
/** With the body that is sent. */
export const DeliveryWithBody = z.object({ ...delivery, body: z.string() })
export type DeliveryWithBody = z.output<typeof DeliveryWithBody>

/** An event as it is stored with its change. The body is what subscribers get. */
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

/** Work on many deliveries. It continues after a restart. */
export const DeliveryJob = z.object({
  id: integerId,
  kind: z.enum(['hold', 'recover', 'replay']),
  subscription_id: integerId,
  state: z.enum(['running', 'finished']),
  /** Deliveries that it has changed or made so far. */
  done: z.int(),
  /** From 0 to 1; null where it is not known beforehand. */
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

/** What is to happen, and values that the event is to carry. */
export const TriggerInput = z.object({
  event: z.enum(eventNames),
  overrides: z.optional(
    z.strictObject({ ticket: someFields, task: someFields, message: someFields, project: someFields }),
  ),
})

type EventSchema = (typeof eventSchemas)[EventName]
const AnyEvent: z.ZodMiniUnion<readonly EventSchema[]> = z.union(Object.values(eventSchemas))

const JobOrCount = z.union([z.object({ job_id: integerId }), z.object({ count: z.int() })])

const workspace = '/workspaces/{workspace}'
const one = `${workspace}/deliveries/{id}` as const
const webhook = `${workspace}/webhooks/{id}` as const
const common = { surface: 'admin', role: 'admin', scope: 'webhooks:manage' } as const
const read = { ...common, method: 'GET', refusals: readRefusals } as const
const list = { ...common, method: 'GET', refusals: listRefusals } as const
const write = { ...common, method: 'POST', refusals: writeRefusals } as const

export const deliveryAdminRoutes = [
  {
    ...list,
    operation: 'deliveries.list',
    path: `${workspace}/deliveries`,
    query: DeliveryQuery,
    answers: { 200: pageOf(Delivery) },
  },
  { ...read, operation: 'deliveries.get', path: one, answers: { 200: DeliveryWithBody } },
  {
    ...read,
    operation: 'deliveries.attempts',
    path: `${one}/attempts`,
    answers: { 200: z.object({ data: z.array(DeliveryAttempt) }) },
  },
  { ...read, operation: 'deliveries.curl', path: `${one}/curl`, answers: { 200: z.object({ curl: z.string() }) } },
  { ...read, operation: 'deliveries.request', path: `${one}/request`, answers: { 200: DeliveryRequest } },
  {
    ...common,
    operation: 'deliveries.resend',
    method: 'POST',
    path: `${one}/resend`,
    answers: { 200: DeliveryWithBody },
    refusals: actionRefusals,
  },
  {
    ...write,
    operation: 'webhooks.sendTest',
    path: `${webhook}/test`,
    body: TestEvent,
    answers: { 200: DeliveryWithBody },
  },
  {
    ...write,
    operation: 'webhooks.recover',
    path: `${webhook}/recover`,
    body: SinceOrDry,
    answers: { 200: JobOrCount },
  },
  {
    ...write,
    operation: 'webhooks.replayMissing',
    path: `${webhook}/replay-missing`,
    body: SinceOrDry,
    answers: { 200: JobOrCount },
  },
  {
    ...list,
    operation: 'webhooks.jobs',
    path: `${workspace}/delivery-jobs`,
    query: PageQuery,
    answers: { 200: pageOf(DeliveryJob) },
  },
  { ...read, operation: 'webhooks.job', path: `${workspace}/delivery-jobs/{id}`, answers: { 200: DeliveryJob } },
  {
    ...list,
    operation: 'events.list',
    path: `${workspace}/events`,
    query: PageQuery,
    answers: { 200: pageOf(Event) },
  },
  {
    surface: 'admin',
    role: 'admin',
    method: 'POST',
    refusals: writeRefusals,
    operation: 'events.trigger',
    path: `${workspace}/trigger`,
    body: TriggerInput,
    answers: { 200: AnyEvent },
  },
] as const satisfies readonly AdminRoute[]

/** Documentation of the administration of deliveries. */
export const deliveryAdminDocs = (): DocsOf<typeof deliveryAdminRoutes> => {
  const delivery = {
    id: 902,
    uuid: '7f0d3c1e-6a52-8b41-9c38-1f4f4c1f9b02',
    subscription_id: 7,
    event_id: 4711,
    event: 'ticket.created',
    is_test: false,
    state: 'succeeded',
    attempts: 1,
    next_attempt_at: null,
    error: null,
    created_at: '2026-11-20T18:51:53.123456Z',
    finished_at: '2026-11-20T18:51:54.020001Z',
  } as const // `state` is one of a list
  const pending = {
    ...delivery,
    state: 'pending',
    next_attempt_at: '2026-11-20T18:51:53.123456Z',
    finished_at: null,
  } as const
  const body = '{"event":"ticket.created","workspace_id":1}'
  const job = {
    id: 4,
    kind: 'recover',
    subscription_id: 7,
    state: 'running',
    done: 120,
    progress: 0.6,
    created_at: '2026-11-20T18:51:53.123456Z',
    finished_at: null,
  } as const // likewise
  const since = { since: '2026-11-20T00:00:00Z' }
  return {
    'deliveries.list': {
      tag: 'Deliveries',
      summary: 'List deliveries',
      description:
        'One entry per event and subscription, newest first. `uuid` is what the receiver sees in `X-Service-Delivery`; it is looked for among the newest 10,000.',
      answers: { deliveries: { data: [delivery], next_before: null } },
    },
    'deliveries.get': {
      tag: 'Deliveries',
      summary: 'Get a delivery',
      description: 'With the body that is sent.',
      answers: { delivery: { ...delivery, body } },
    },
    'deliveries.attempts': {
      tag: 'Deliveries',
      summary: 'List the attempts of a delivery',
      description: 'The requests that were made for it, newest first, at most 100.',
    },
    'deliveries.curl': {
      tag: 'Deliveries',
      summary: 'Get a delivery as a line of curl',
      description:
        "With a valid signature, to try a receiver by hand. Values of the subscription's headers are hidden.",
      answers: { line: { curl: "curl -sS -i 'https://hooks.northwind.test/platform' --data-raw '{…}'" } },
    },
    'deliveries.request': {
      tag: 'Deliveries',
      summary: 'Get the request of a delivery',
      description: "As it would be made now, with a valid signature. Values of the subscription's headers are hidden.",
      answers: {
        request: {
          url: 'https://hooks.northwind.test/platform',
          headers: [['X-Service-Event', 'ticket.created']],
          body,
        },
      },
    },
    'deliveries.resend': {
      tag: 'Deliveries',
      summary: 'Send a delivery again',
      description: 'Also one that has succeeded. Its id stays the same.',
      answers: { pending: { ...pending, body } },
    },
    'webhooks.sendTest': {
      tag: 'Webhooks',
      summary: 'Send a test event',
      description: 'An example of the event, marked as a test. It is stored and delivered like any other event.',
      bodies: { 'ticket-created': { event: 'ticket.created' } },
      answers: { pending: { ...pending, is_test: true, body } },
    },
    'webhooks.recover': {
      tag: 'Webhooks',
      summary: 'Recover deliveries',
      description:
        'Sends again what failed for good or was held since then. With `dry_run` it only says how many that is.',
      bodies: { since, 'only-count': { ...since, dry_run: true } },
      answers: { started: { job_id: 4 }, counted: { count: 120 } },
    },
    'webhooks.replayMissing': {
      tag: 'Webhooks',
      summary: 'Replay missing events',
      description:
        'Sends events since then that the subscription asks for and never got, such as those from before it was created. With `dry_run` it only says how many that is.',
      bodies: { since, 'only-count': { ...since, dry_run: true } },
      answers: { started: { job_id: 5 }, counted: { count: 17 } },
    },
    'webhooks.jobs': {
      tag: 'Webhooks',
      summary: 'List jobs',
      description: 'Recoveries, replays, and the holding of what waits for a disabled subscription, newest first.',
      answers: { jobs: { data: [job], next_before: null } },
    },
    'webhooks.job': {
      tag: 'Webhooks',
      summary: 'Get a job',
      description: 'With its progress.',
      answers: { job },
    },
    'events.list': {
      tag: 'Deliveries',
      summary: 'List events',
      description: 'Every event of the workspace that is stored, sent to somebody or not, newest first.',
      answers: {
        events: {
          data: [
            {
              id: 4711,
              name: 'ticket.resolved',
              body: '{"event":"ticket.resolved","workspace_id":1,"timestamp":"2026-11-20T18:51:53+00:00"}',
              created_at: '2026-11-20T18:51:53.123456Z',
            },
          ],
          next_before: null,
        },
      },
    },
    'events.trigger': {
      tag: 'Webhooks',
      summary: 'Trigger an event',
      description:
        'Creates or changes a real object, so that the platform emits the event. `overrides` are values that it is to carry. The caller is the author of what is created. The answer is what is sent. API tokens cannot call this route, because it writes objects other than webhooks.',
      bodies: {
        event: { event: 'ticket.created' },
        'with-values': { event: 'ticket.updated', overrides: { ticket: { id: 42, priority: 'urgent' } } },
      },
    },
  }
}
