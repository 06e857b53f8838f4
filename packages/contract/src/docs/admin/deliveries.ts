import type { deliveryAdminRoutes } from '../../admin/deliveries.ts'
import type { DocsOf } from '../../route-docs.ts'
import { page } from '../example-values.ts'

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
} as const
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
} as const
const since = { since: '2026-11-20T00:00:00Z' }

/** Documentation of the administration of deliveries. */
export const deliveryAdminDocs: DocsOf<typeof deliveryAdminRoutes> = {
  'deliveries.list': {
    summary: 'List deliveries',
    description:
      'One entry per event and subscription, newest first. The `state` is `pending` (waits for its first attempt, or is *retrying*), `succeeded`, `failed` (given up), or `held` (waits for its subscription). The filter `state=retrying` finds the pending ones that have failed before, with their `error`. `uuid` is the value of `X-Service-Delivery`. It is searched among the newest 10,000.',
    responses: { deliveries: page(delivery) },
  },
  'deliveries.get': {
    summary: 'Get a delivery',
    description: 'With the body that is sent.',
    responses: { delivery: { ...delivery, body } },
  },
  'deliveries.attempts': {
    summary: 'List the attempts of a delivery',
    description: 'Its requests, newest first, at most 100.',
  },
  'deliveries.curl': {
    summary: 'Get a delivery as a curl command',
    description:
      "With a valid signature, to test a receiver manually. Values of the subscription's headers are hidden.",
    responses: {
      line: {
        curl: "printf %s '{…}' |\n  curl -sS -i 'https://hooks.northwind.test/platform' \\\n  --data-binary @-",
      },
    },
  },
  'deliveries.request': {
    summary: 'Get the request of a delivery',
    description: "As it would be sent now, with a valid signature. Values of the subscription's headers are hidden.",
    responses: {
      request: { url: 'https://hooks.northwind.test/platform', headers: [['X-Service-Event', 'ticket.created']], body },
    },
  },
  'deliveries.resend': {
    summary: 'Send a delivery again',
    description:
      'Sends it now, whatever its state, without waiting for its retry. Its id stays the same. If its subscription was deleted, the answer is 409.',
    responses: { pending: { ...pending, body } },
  },
  'webhooks.sendTest': {
    summary: 'Send a test event',
    description: 'An example of the event, marked as a test. It is stored and delivered like any other event.',
    bodies: { 'ticket-created': { event: 'ticket.created' } },
    responses: { pending: { ...pending, is_test: true, body } },
  },
  'webhooks.recover': {
    summary: 'Recover deliveries',
    description:
      'Sends deliveries since then now: *retrying* ones (`pending` after a failed attempt), *failed* ones, which were given up, and *held* ones, which wait for their subscription. `dry_run` only counts them.',
    bodies: { since, 'only-count': { ...since, dry_run: true } },
    responses: { started: { job_id: 4 }, counted: { count: 120, retrying: 100, failed: 20, held: 0 } },
  },
  'webhooks.replayMissing': {
    summary: 'Replay missing events',
    description:
      'Sends matching events since then that the subscription never received, such as those from before it was created. `dry_run` only counts them.',
    bodies: { since, 'only-count': { ...since, dry_run: true } },
    responses: { started: { job_id: 5 }, counted: { count: 17 } },
  },
  'webhooks.jobs': {
    summary: 'List jobs',
    description: 'Recoveries, replays, and jobs that hold the deliveries of a disabled subscription, newest first.',
    responses: { jobs: page(job) },
  },
  'webhooks.job': { summary: 'Get a job', description: 'With its progress.', responses: { job } },
  'events.list': {
    summary: 'List events',
    description: 'Every stored event of the workspace, whether or not it was sent, newest first.',
    responses: {
      events: page({
        id: 4711,
        name: 'ticket.resolved',
        body: '{"event":"ticket.resolved","workspace_id":1,"timestamp":"2026-11-20T18:51:53+00:00"}',
        created_at: '2026-11-20T18:51:53.123456Z',
      }),
    },
  },
  'events.trigger': {
    summary: 'Trigger an event',
    description:
      'Creates or changes a real object, so that the platform emits the event. `overrides` are values for the event. The caller becomes the author of created objects. The response is the body that is sent. API tokens cannot call this route, because it writes objects other than webhooks.',
    bodies: {
      event: { event: 'ticket.created' },
      'with-values': { event: 'ticket.updated', overrides: { ticket: { id: 42, priority: 'urgent' } } },
    },
  },
}
