import type { Migration } from '../columns.ts'

/** The order of webhook lists: failing first, the longest failing on top, then active, then off. Deleted ones have 0. */
export const webhookStates: Migration = {
  name: '0004-webhook-states',
  statements: () => [
    `/* across workspaces: delivery */ update delivery_queues set disabled_reason = 'deleted'
      where subscription_id in (select id from subscriptions where deleted_at is not null)`,
    `create index delivery_queues_state on delivery_queues (workspace_id,
      (case when disabled_reason = 'deleted' then 0 when disabled_at is not null then 1 when failing_since is null then 2
        else 9000000000000000 - failing_since end), subscription_id)`,
  ],
}
