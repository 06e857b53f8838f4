import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'

/** Ids grow with time, so reading from the newest ends at the first that is older. */
export async function listFinishedSince(db: Db, { workspaceId, since }: { workspaceId: number; since: number }) {
  const older = await db
    .selectFrom('deliveries')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '<', since)
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst()
  return db
    .selectFrom('deliveries')
    .select(['created_at', 'state', 'attempts'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '>', older?.id ?? 0)
    .execute()
}
