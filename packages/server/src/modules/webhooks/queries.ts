import type { Insertable, Updateable } from 'kysely'
import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/newest-first.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
import type { SubscriptionsTable } from './table.ts'

export type NewSubscriptionRow = Insertable<SubscriptionsTable>

const shown = (db: Db) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('delivery_queues', (join) =>
      join
        .onRef('delivery_queues.workspace_id', '=', 'subscriptions.workspace_id')
        .onRef('delivery_queues.subscription_id', '=', 'subscriptions.id'),
    )
    .select([
      'id',
      'subscriptions.workspace_id',
      'url_encrypted',
      'description',
      'previous_secret_until',
      'encoding',
      'standard_webhooks',
      'headers_encrypted',
      'rate_per_minute',
      'schedule',
      'fifo',
      'created_at',
      'updated_at',
      'disabled_at',
      'disabled_reason',
      'failing_since',
      'last_success_at',
      'last_failure_at',
    ])
    .where('deleted_at', 'is', null)

export type SubscriptionRow = Awaited<ReturnType<typeof listSubscriptions>>[number]

export const listSubscriptions = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(shown(db).where('subscriptions.workspace_id', '=', workspaceId), page).execute()

export const findSubscription = (db: Db, workspaceId: number, id: number) =>
  shown(db).where('subscriptions.workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

export const insertSubscription = async (db: Db, row: NewSubscriptionRow): Promise<number> =>
  (await db.insertInto('subscriptions').values(row).returning('id').executeTakeFirstOrThrow()).id

export const updateSubscription = (db: Db, { workspaceId, id }: RowRef, patch: Updateable<SubscriptionsTable>) =>
  db.updateTable('subscriptions').set(patch).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

export async function findEncryptedSecret(db: Db, { workspaceId, id }: RowRef): Promise<string> {
  const { secret_encrypted } = await db
    .selectFrom('subscriptions')
    .select('secret_encrypted')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return secret_encrypted
}

export type EncryptedRow = Awaited<ReturnType<typeof listEncrypted>>[number]

const encrypted = (db: Db) =>
  db
    .selectFrom('subscriptions')
    .select(['id', 'workspace_id', 'secret_encrypted', 'url_encrypted', 'headers_encrypted'])
    .where('deleted_at', 'is', null)

/** What is encrypted of each subscription, in all workspaces. */
export const listEncrypted = (db: Db) => encrypted(db).orderBy('id').modifyEnd(acrossWorkspaces('encryption')).execute()

/** What is encrypted of one. */
export const findEncrypted = (db: Db, { workspaceId, id }: RowRef) =>
  encrypted(db).where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

export const listPatterns = (db: Db, workspaceId: number, ids: readonly number[]) =>
  db
    .selectFrom('subscription_events')
    .select(['subscription_id', 'pattern'])
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', 'in', ids.length === 0 ? [0] : ids)
    .orderBy('pattern')
    .execute()

export async function replacePatterns(db: Db, { workspaceId, id }: RowRef, patterns: readonly string[]): Promise<void> {
  await db
    .deleteFrom('subscription_events')
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', '=', id)
    .execute()
  if (patterns.length === 0) return
  const rows = [...new Set(patterns)].map((pattern) => ({ workspace_id: workspaceId, subscription_id: id, pattern }))
  await db.insertInto('subscription_events').values(rows).execute()
}
