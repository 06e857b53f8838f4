import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { sortablePageOf } from './pages.ts'
import { action, create, list, read, remove, update, workspace } from './route-kinds.ts'
import { Rotation, SubscriptionPatch, SubscriptionQuery, SubscriptionSettings } from './webhook-input.ts'

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
  /** Until then the previous secret signs too. */
  previous_secret_until: z.nullable(instant),
  created_at: instant,
  updated_at: instant,
}

/** A subscription without its secret and the values of its headers. */
export const Subscription = z.object(subscription)

export type Subscription = z.output<typeof Subscription>

/** With the secret, which only this response contains. */
export const SubscriptionWithSecret = z.object({ ...subscription, url: z.string(), secret: z.string() })

export type SubscriptionWithSecret = z.output<typeof SubscriptionWithSecret>

/** The warning says what receivers must do if they know only the old secret. */
export const RotatedSubscription = z.object({ ...subscription, secret: z.string(), warning: z.nullable(z.string()) })

export type RotatedSubscription = z.output<typeof RotatedSubscription>

/** The number of subscriptions in each state. Each stops at `maxCount`. */
export const SubscriptionCounts = z.object({ failing: z.int(), active: z.int(), off: z.int() })

export type SubscriptionCounts = z.output<typeof SubscriptionCounts>

const all = `${workspace}/webhooks` as const
const one = `${all}/{id}` as const
const manage = { role: 'admin', scope: 'webhooks:manage' } as const
const change = { ...action, ...manage, responses: { 200: Subscription } } as const

export const webhookAdminRoutes = [
  {
    ...list,
    ...manage,
    operation: 'webhooks.list',
    path: all,
    query: SubscriptionQuery,
    responses: { 200: sortablePageOf(Subscription) },
  },
  { ...read, ...manage, operation: 'webhooks.count', path: `${all}/count`, responses: { 200: SubscriptionCounts } },
  {
    ...create,
    ...manage,
    operation: 'webhooks.create',
    path: all,
    body: SubscriptionSettings,
    responses: { 201: SubscriptionWithSecret },
  },
  { ...read, ...manage, operation: 'webhooks.get', path: one, responses: { 200: Subscription } },
  {
    ...update,
    ...manage,
    operation: 'webhooks.update',
    path: one,
    body: SubscriptionPatch,
    responses: { 200: Subscription },
  },
  { ...remove, ...manage, operation: 'webhooks.delete', path: one },
  { ...change, operation: 'webhooks.enable', path: `${one}/enable` },
  { ...change, operation: 'webhooks.disable', path: `${one}/disable` },
  {
    ...create,
    ...manage,
    operation: 'webhooks.rotateSecret',
    path: `${one}/rotate-secret`,
    body: Rotation,
    responses: { 200: RotatedSubscription },
  },
  { ...change, operation: 'webhooks.revokePreviousSecret', path: `${one}/revoke-previous-secret` },
] as const satisfies readonly AdminRoute[]
