import type { webhookAdminRoutes } from '../../admin/webhooks.ts'
import type { DocsOf } from '../../route-docs.ts'
import { sortablePage } from '../example-values.ts'

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

const subscription = {
  id: 7,
  url: 'https://hooks.northwind.test/platform',
  description: 'Chat of the support team',
  events: ['ticket.*'],
  encoding: 'hex',
  standard_webhooks: false,
  header_names: ['X-Team'],
  rate_per_minute: null,
  schedule: null,
  fifo: false,
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  last_success_at: '2026-11-20T18:51:54.020001Z',
  last_failure_at: null,
  previous_secret_until: null,
  created_at: '2026-11-03T10:20:30.000001Z',
  updated_at: '2026-11-03T10:20:30.000001Z',
}
const disabled = {
  ...subscription,
  enabled: false,
  disabled_reason: 'manual',
  disabled_at: '2026-11-20T18:55:00.000000Z',
}

/** Documentation of the administration of subscriptions. */
export const webhookAdminDocs: DocsOf<typeof webhookAdminRoutes> = {
  'webhooks.list': {
    summary: 'List subscriptions',
    description:
      'Subscriptions of the workspace, newest first. With `sort=state`, failing ones come first, the longest failing on top, then active ones, then those that are off. `search` is a part of the description or the URL.',
    responses: { subscriptions: sortablePage(subscription) },
  },
  'webhooks.count': {
    summary: 'Count subscriptions',
    description: 'The number of subscriptions in each state; each count stops at 100.',
    responses: { counts: { failing: 1, active: 4, off: 0 } },
  },
  'webhooks.create': {
    summary: 'Create a subscription',
    description:
      'Sends events to a URL from now on. `events` are names, families such as `ticket.*`, or `*`. Only this response contains the secret.',
    bodies: {
      'url-and-events': { url: 'https://hooks.northwind.test/platform', events: ['ticket.*'] },
      full: {
        url: 'https://hooks.northwind.test/platform',
        events: ['ticket.created', 'task.*'],
        description: 'Chat of the support team',
        encoding: 'sha256=hex',
        standard_webhooks: true,
        headers: { 'X-Team': 'support' },
        rate_per_minute: 600,
        schedule: [5, 60, 3600],
        fifo: true,
      },
    },
    responses: { created: { ...subscription, last_success_at: null, secret } },
    errors: {
      422: {
        'url-missing': { message: 'The url field is required.', errors: { url: ['The url field is required.'] } },
      },
    },
  },
  'webhooks.get': {
    summary: 'Get a subscription',
    description: 'Its secret and the values of its headers are not shown.',
    responses: { subscription },
  },
  'webhooks.update': {
    summary: 'Change a subscription',
    description: 'Omitted fields keep their values. Pending events are sent with the new settings.',
    bodies: { 'other-events': { events: ['*'] }, 'own-schedule': { schedule: [1, 60, 3600] } },
    responses: { changed: { ...subscription, events: ['*'] } },
  },
  'webhooks.delete': {
    summary: 'Delete a subscription',
    description: 'Stops all deliveries. Past deliveries stay in the log until their retention ends.',
    responses: { deleted: { id: 7 } },
  },
  'webhooks.enable': {
    summary: 'Enable a subscription',
    description: 'Sends events again from now on. Held deliveries stay held until they are recovered.',
    responses: { enabled: subscription },
  },
  'webhooks.disable': {
    summary: 'Disable a subscription',
    description: 'Stops sending. New deliveries are held.',
    responses: { disabled },
  },
  'webhooks.rotateSecret': {
    summary: 'Replace the secret',
    description:
      'The old secret keeps signing along with the new one for 24 hours, or for `overlap_hours`. Only this response contains the new one.',
    bodies: { 'usual-overlap': {}, 'at-once': { overlap_hours: 0 } },
    responses: {
      rotated: { ...subscription, previous_secret_until: '2026-11-21T18:51:53.123456Z', secret, warning: null },
    },
  },
  'webhooks.revokePreviousSecret': {
    summary: 'Revoke the previous secret',
    description: 'Ends the overlap of a replaced secret immediately.',
    responses: { revoked: subscription },
  },
}
