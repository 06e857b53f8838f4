import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'

/** Reports per application on this day (UTC) and later, the most first. */
export const countByApp = (db: Db, workspaceId: number, day: string) =>
  db
    .selectFrom('error_group_days')
    .innerJoin('error_groups', (join) =>
      join
        .onRef('error_groups.workspace_id', '=', 'error_group_days.workspace_id')
        .onRef('error_groups.id', '=', 'error_group_days.group_id'),
    )
    .select(({ fn }) => [
      'error_groups.app',
      fn.sum<number>('error_group_days.count').as('reports'),
      fn.count<number>('error_groups.id').distinct().as('kinds'),
    ])
    .where('error_group_days.workspace_id', '=', workspaceId)
    .where('error_group_days.day', '>=', day)
    .groupBy('error_groups.app')
    .orderBy('reports', 'desc')
    .limit(sql.lit(20))
    .execute()
