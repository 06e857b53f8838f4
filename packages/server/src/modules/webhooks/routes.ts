import type { deliveryAdminRoutes } from '@service/contract/admin/deliveries'
import type { SinceOrDry } from '@service/contract/admin/webhook-input'
import type { webhookAdminRoutes } from '@service/contract/admin/webhooks'
import type * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { actorOf } from '../../core/admin-caller.ts'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers } from '../../route-handler.ts'
import { getCurl, getDelivery, getRequest, listAttempts, listDeliveries, listEvents } from './delivery-log-service.ts'
import * as redelivery from './redelivery-service.ts'
import {
  countSubscriptions,
  createSubscription,
  getSubscription,
  listSubscriptions,
  updateSubscription,
} from './service.ts'
import {
  deleteSubscription,
  disableSubscription,
  enableSubscription,
  revokePreviousSecret,
  rotateSecret,
} from './subscription-service.ts'
import type { TriggerRequest } from './trigger-input.ts'

export const webhookAdminHandlers = {
  'webhooks.list': (app, { workspaceId, query }) => listSubscriptions(app, workspaceId, query),
  'webhooks.count': countSubscriptions,
  'webhooks.create': (app, { workspaceId, body }) => createSubscription(app, { workspace_id: workspaceId, ...body }),
  'webhooks.get': getSubscription,
  'webhooks.update': (app, { body, ...at }) => updateSubscription(app, at, body),
  'webhooks.delete': deleteSubscription,
  'webhooks.enable': enableSubscription,
  'webhooks.disable': disableSubscription,
  'webhooks.rotateSecret': (app, { body, ...at }) => rotateSecret(app, at, body),
  'webhooks.revokePreviousSecret': revokePreviousSecret,
} satisfies AdminHandlers<typeof webhookAdminRoutes>

export const deliveryAdminHandlers = {
  'deliveries.list': paged((app, workspaceId, { subscription_id, state, uuid, ...page }) =>
    listDeliveries(app, { workspaceId, subscriptionId: subscription_id, state, uuid }, page),
  ),
  'deliveries.get': getDelivery,
  'deliveries.attempts': async (app, at) => ({ data: await listAttempts(app, at) }),
  'deliveries.curl': getCurl,
  'deliveries.request': getRequest,
  'deliveries.resend': redelivery.resendDelivery,
  'webhooks.sendTest': (app, { body, ...at }) => redelivery.sendTest(app, at, body),
  'webhooks.recover': jobOrCount(redelivery.recoverDeliveries, redelivery.countRecoverable),
  'webhooks.replayMissing': jobOrCount(redelivery.replayMissing, redelivery.countMissing),
  'webhooks.jobs': paged(redelivery.listJobs),
  'webhooks.job': redelivery.getJob,
  'events.list': paged(listEvents),
  'events.trigger': async (app, { caller, workspaceId, body }) => {
    // Loaded on demand, because only developers who test receivers use it.
    const { trigger } = await import('./trigger-service.ts')
    const by = { workspaceId, authorId: caller.user?.id }
    return trigger({ ...app, actor: actorOf(caller) }, by, body as TriggerRequest) // ids are validated later
  },
} satisfies AdminHandlers<typeof deliveryAdminRoutes>

interface JobCall {
  readonly workspaceId: number
  readonly id: number
  readonly body: z.output<typeof SinceOrDry>
}

/** Starts a job, or with `dry_run` returns the number of deliveries. */
function jobOrCount<Count>(
  start: typeof redelivery.recoverDeliveries,
  count: (app: App, at: Omit<JobCall, 'body'>, input: { readonly since: string }) => Promise<Count>,
) {
  return (app: App, { body: { since, dry_run }, ...at }: JobCall) =>
    (dry_run === true ? count : start)(app, at, { since })
}
