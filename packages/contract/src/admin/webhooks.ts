import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
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
