import type { Act, ReadList } from '../../read-list.ts'
import { listJobs, resendDelivery } from './again-service.ts'
import { listDeliveries } from './log-service.ts'
import { revokePreviousSecret, rotateSecret } from './secret-service.ts'
import { listSubscriptions } from './service.ts'
import { disableSubscription, enableSubscription } from './switch-service.ts'

export const webhookReads = {
  webhooks: listSubscriptions,
  deliveries: (app, workspaceId, page) => listDeliveries(app, { workspaceId }, page),
  'delivery-jobs': listJobs,
} satisfies Record<string, ReadList>

export const webhookActions = {
  'webhooks/:id{[0-9]+}/enable': enableSubscription,
  'webhooks/:id{[0-9]+}/disable': disableSubscription,
  'webhooks/:id{[0-9]+}/rotate-secret': (app, at) => rotateSecret(app, at, {}),
  'webhooks/:id{[0-9]+}/revoke-previous-secret': revokePreviousSecret,
  'deliveries/:id{[0-9]+}/resend': resendDelivery,
} satisfies Record<string, Act>
