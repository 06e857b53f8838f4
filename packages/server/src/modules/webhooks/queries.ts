import type { Insertable, Updateable } from 'kysely'
import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/newest-first.ts'
import type { SubscriptionsTable } from './table.ts'

export type NewSubscriptionRow = Insertable<SubscriptionsTable>

const shown = (db: Db) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('delivery_queues', 'delivery_queues.subscription_id', 'subscriptions.id')
    .select([
      'id',
      'workspace_id',
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
  newestFirst(shown(db).where('workspace_id', '=', workspaceId), page).execute()

export const findSubscription = (db: Db, workspaceId: number, id: number) =>
  shown(db).where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

export const insertSubscription = async (db: Db, row: NewSubscriptionRow): Promise<number> =>
  (await db.insertInto('subscriptions').values(row).returning('id').executeTakeFirstOrThrow()).id

export const updateSubscription = (db: Db, id: number, patch: Updateable<SubscriptionsTable>) =>
  db.updateTable('subscriptions').set(patch).where('id', '=', id).execute()

export const findEncryptedSecret = async (db: Db, id: number): Promise<string> =>
  (await db.selectFrom('subscriptions').select('secret_encrypted').where('id', '=', id).executeTakeFirstOrThrow())
    .secret_encrypted

export type EncryptedRow = Awaited<ReturnType<typeof listEncrypted>>[number]

/** What is encrypted of each subscription, or of one. */
export const listEncrypted = (db: Db, id?: number) =>
  db
    .selectFrom('subscriptions')
    .select(['id', 'workspace_id', 'secret_encrypted', 'url_encrypted', 'headers_encrypted'])
    .where('deleted_at', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .orderBy('id')
    .execute()

export const listPatterns = (db: Db, workspaceId: number, ids: readonly number[]) =>
  db
    .selectFrom('subscription_events')
    .select(['subscription_id', 'pattern'])
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', 'in', ids.length === 0 ? [0] : ids)
    .orderBy('pattern')
    .execute()

export async function replacePatterns(
  db: Db,
  { workspaceId, id }: { workspaceId: number; id: number },
  patterns: readonly string[],
): Promise<void> {
  await db.deleteFrom('subscription_events').where('subscription_id', '=', id).execute()
  if (patterns.length === 0) return
  const rows = [...new Set(patterns)].map((pattern) => ({ workspace_id: workspaceId, subscription_id: id, pattern }))
  await db.insertInto('subscription_events').values(rows).execute()
}
