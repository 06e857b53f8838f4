import type { Db } from '../../store/database.ts'
import { prepared } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces } from '../../store/workspace-keys.ts'
import { isOfQueues } from '../leases/queue-queries.ts'
import type { QueueRef } from '../table.ts'

const columns = [
  'subscriptions.id',
  'subscriptions.workspace_id',
  'url_encrypted',
  'secret_encrypted',
  'previous_secret_encrypted',
  'previous_secret_until',
  'encoding',
  'standard_webhooks',
  'headers_encrypted',
  'rate_per_minute',
  'schedule',
  'fifo',
  'delivery_queues.subscription_id',
  'send_limit',
  'failures_in_a_row',
  'paused_until',
  'paced_until',
  'failing_since',
  'failing_days',
  'last_success_at',
  'last_failure_at',
  'disabled_at',
  'disabled_reason',
] as const

/** Queues with the settings of their subscriptions. */
export const readTargets = ({ dialect, db }: Store, queues: readonly QueueRef[]) =>
  db
    .selectFrom('delivery_queues')
    .innerJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.workspace_id', '=', 'delivery_queues.workspace_id')
        .onRef('subscriptions.id', '=', 'delivery_queues.subscription_id'),
    )
    .select(columns)
    .where(isOfQueues(dialect, queues))
    .execute()

export type TargetRow = Awaited<ReturnType<typeof readTargets>>[number]

export const hasSubscriptions = async (db: Db): Promise<boolean> => (await anyQueue(db, {})).length > 0

const anyQueue = prepared((db) =>
  db.selectFrom('delivery_queues').select('subscription_id').limit(1).modifyEnd(acrossWorkspaces('delivery')),
)
