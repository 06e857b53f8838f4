import type { AdminRoute } from '../../admin-route.ts'
import { checkInput } from '../../check-input.ts'
import type { Act, ReadList } from '../../read-list.ts'
import * as again from './again-service.ts'
import { curlOf, requestOf } from './curl-service.ts'
import { DeliveryQuery, Rotation, SinceOrDry, SubscriptionPatch, SubscriptionSettings, TestEvent } from './input.ts'
import { getDelivery, listAttempts, listDeliveries } from './log-service.ts'
import { revokePreviousSecret, rotateSecret } from './secret-service.ts'
import { createSubscription, getSubscription, listSubscriptions, updateSubscription } from './service.ts'
import { deleteSubscription, disableSubscription, enableSubscription } from './switch-service.ts'

export const webhookReads = {
  webhooks: listSubscriptions,
  deliveries: async (app, workspaceId, { query, ...page }) => {
    const { subscription_id, state } = checkInput(DeliveryQuery, query)
    return listDeliveries(app, { workspaceId, subscriptionId: subscription_id, state }, page)
  },
  'delivery-jobs': again.listJobs,
} satisfies Record<string, ReadList>

export const webhookActions = {
  'webhooks/{id}/enable': enableSubscription,
  'webhooks/{id}/disable': disableSubscription,
  'webhooks/{id}/revoke-previous-secret': revokePreviousSecret,
  'deliveries/{id}/resend': again.resendDelivery,
} satisfies Record<string, Act>

export const webhookRoutes: readonly AdminRoute[] = [
  {
    method: 'POST',
    path: 'webhooks',
    status: 201,
    answer: async (app, { workspaceId, body }) =>
      createSubscription(app, { workspace_id: workspaceId, ...checkInput(SubscriptionSettings, body) }),
  },
  {
    method: 'POST',
    path: 'trigger',
    answer: async (app, { workspaceId, body }) => {
      // For trying out receivers, so whoever does not should not load it.
      const { checkTrigger, trigger } = await import('./trigger-service.ts')
      return trigger(app, workspaceId, checkTrigger(body))
    },
  },
  { method: 'GET', path: 'webhooks/{id}', answer: getSubscription },
  {
    method: 'PATCH',
    path: 'webhooks/{id}',
    answer: async (app, { body, ...at }) => updateSubscription(app, at, checkInput(SubscriptionPatch, body)),
  },
  { method: 'DELETE', path: 'webhooks/{id}', answer: deleteSubscription },
  {
    method: 'POST',
    path: 'webhooks/{id}/rotate-secret',
    answer: async (app, { body, ...at }) => rotateSecret(app, at, checkInput(Rotation, body)),
  },
  {
    method: 'POST',
    path: 'webhooks/{id}/test',
    answer: async (app, { body, ...at }) => again.sendTest(app, at, checkInput(TestEvent, body)),
  },
  {
    method: 'POST',
    path: 'webhooks/{id}/recover',
    answer: jobOrCount(again.recoverDeliveries, again.countRecoverable),
  },
  {
    method: 'POST',
    path: 'webhooks/{id}/replay-missing',
    answer: jobOrCount(again.replayMissing, again.countMissing),
  },
  { method: 'GET', path: 'delivery-jobs/{id}', answer: again.getJob },
  { method: 'GET', path: 'deliveries/{id}', answer: getDelivery },
  {
    method: 'GET',
    path: 'deliveries/{id}/attempts',
    answer: async (app, at) => ({ data: await listAttempts(app, at) }),
  },
  { method: 'GET', path: 'deliveries/{id}/curl', answer: curlOf },
  { method: 'GET', path: 'deliveries/{id}/request', answer: requestOf },
]

/** Begins a job; with `dry_run` it only says how many deliveries that would be. */
function jobOrCount(begin: typeof again.recoverDeliveries, count: typeof again.countRecoverable): AdminRoute['answer'] {
  return async (app, { body, ...at }) => {
    const { since, dry_run } = checkInput(SinceOrDry, body)
    return (dry_run === true ? count : begin)(app, at, { since })
  }
}
