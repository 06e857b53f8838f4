import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
import { actionRefusals, Changed, listRefusals, PageQuery, pageOf, readRefusals, writeRefusals } from './pages.ts'
import { Rotation, SubscriptionPatch, SubscriptionSettings } from './webhook-input.ts'

const subscription = {
  id: integerId,
  /** Null where it cannot be decrypted because the key was lost. */
  url: z.nullable(z.string()),
  description: z.nullable(z.string()),
  events: z.array(z.string()),
  encoding: z.string(),
  standard_webhooks: z.boolean(),
  header_names: z.array(z.string()),
  rate_per_minute: z.nullable(z.int()),
  schedule: z.nullable(z.array(z.int())),
  fifo: z.boolean(),
  enabled: z.boolean(),
  /** `manual`, `gone` (the receiver answered 410) or `failing` (no success for five days). */
  disabled_reason: z.nullable(z.string()),
  disabled_at: z.nullable(instant),
  failing_since: z.nullable(instant),
  last_success_at: z.nullable(instant),
  last_failure_at: z.nullable(instant),
  /** Until then the secret before the last rotation signs too. */
  previous_secret_until: z.nullable(instant),
  created_at: instant,
  updated_at: instant,
}

/** A subscription as it may be shown: without its secret and the values of its headers. */
export const Subscription = z.object(subscription)
export type Subscription = z.output<typeof Subscription>
/** With the secret, which is in this answer and in no other. */
export const SubscriptionWithSecret = z.object({ ...subscription, url: z.string(), secret: z.string() })
export type SubscriptionWithSecret = z.output<typeof SubscriptionWithSecret>
/** The warning says what a receiver must do that knows only the old secret. */
export const RotatedSubscription = z.object({ ...subscription, secret: z.string(), warning: z.nullable(z.string()) })
export type RotatedSubscription = z.output<typeof RotatedSubscription>

const all = '/workspaces/{workspace}/webhooks'
const one = `${all}/{id}` as const
const common = { surface: 'admin', role: 'admin', scope: 'webhooks:manage' } as const
const action = { ...common, method: 'POST', answers: { 200: Subscription }, refusals: actionRefusals } as const

export const webhookAdminRoutes = [
  {
    ...common,
    operation: 'webhooks.list',
    method: 'GET',
    path: all,
    query: PageQuery,
    answers: { 200: pageOf(Subscription) },
    refusals: listRefusals,
  },
  {
    ...common,
    operation: 'webhooks.create',
    method: 'POST',
    path: all,
    body: SubscriptionSettings,
    answers: { 201: SubscriptionWithSecret },
    refusals: writeRefusals,
  },
  {
    ...common,
    operation: 'webhooks.get',
    method: 'GET',
    path: one,
    answers: { 200: Subscription },
    refusals: readRefusals,
  },
  {
    ...common,
    operation: 'webhooks.update',
    method: 'PATCH',
    path: one,
    body: SubscriptionPatch,
    answers: { 200: Subscription },
    refusals: writeRefusals,
  },
  {
    ...common,
    operation: 'webhooks.delete',
    method: 'DELETE',
    path: one,
    answers: { 200: Changed },
    refusals: actionRefusals,
  },
  { ...action, operation: 'webhooks.enable', path: `${one}/enable` },
  { ...action, operation: 'webhooks.disable', path: `${one}/disable` },
  {
    ...common,
    operation: 'webhooks.rotateSecret',
    method: 'POST',
    path: `${one}/rotate-secret`,
    body: Rotation,
    answers: { 200: RotatedSubscription },
    refusals: writeRefusals,
  },
  { ...action, operation: 'webhooks.revokePreviousSecret', path: `${one}/revoke-previous-secret` },
] as const satisfies readonly AdminRoute[]

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

/** Documentation of the administration of subscriptions. */
export const webhookAdminDocs = (): DocsOf<typeof webhookAdminRoutes> => {
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
  return {
    'webhooks.list': {
      tag: 'Webhooks',
      summary: 'List subscriptions',
      description: 'Subscriptions of the workspace, newest first.',
      answers: { subscriptions: { data: [subscription], next_before: null } },
    },
    'webhooks.create': {
      tag: 'Webhooks',
      summary: 'Create a subscription',
      description:
        'Sends events to a URL from now on. `events` are names, families such as `ticket.*`, or `*`. The secret is in this answer and in no other.',
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
      answers: { created: { ...subscription, last_success_at: null, secret } },
      refusals: {
        422: {
          'url-missing': { message: 'The url field is required.', errors: { url: ['The url field is required.'] } },
        },
      },
    },
    'webhooks.get': {
      tag: 'Webhooks',
      summary: 'Get a subscription',
      description: 'Its secret and the values of its headers are not shown.',
      answers: { subscription },
    },
    'webhooks.update': {
      tag: 'Webhooks',
      summary: 'Change a subscription',
      description: 'A field that is left out stays as it is. Events that wait already are sent with the new settings.',
      bodies: { 'other-events': { events: ['*'] }, 'own-schedule': { schedule: [1, 60, 3600] } },
      answers: { changed: { ...subscription, events: ['*'] } },
    },
    'webhooks.delete': {
      tag: 'Webhooks',
      summary: 'Delete a subscription',
      description: 'Nothing is sent any more. What was delivered stays in the log until its time is over.',
      answers: { deleted: { id: 7 } },
    },
    'webhooks.enable': {
      tag: 'Webhooks',
      summary: 'Enable a subscription',
      description: 'Sends events again from now on. Held ones stay held until they are recovered.',
      answers: { enabled: subscription },
    },
    'webhooks.disable': {
      tag: 'Webhooks',
      summary: 'Disable a subscription',
      description: 'Sends nothing more. Its events are held.',
      answers: { disabled },
    },
    'webhooks.rotateSecret': {
      tag: 'Webhooks',
      summary: 'Replace the secret',
      description:
        'The old secret signs beside the new one for 24 hours, or for `overlap_hours`. The new one is in this answer and in no other.',
      bodies: { 'usual-overlap': {}, 'at-once': { overlap_hours: 0 } },
      answers: {
        rotated: { ...subscription, previous_secret_until: '2026-11-21T18:51:53.123456Z', secret, warning: null },
      },
    },
    'webhooks.revokePreviousSecret': {
      tag: 'Webhooks',
      summary: 'Revoke the previous secret',
      description: 'Ends the overlap of a replaced secret at once.',
      answers: { revoked: subscription },
    },
  }
}
