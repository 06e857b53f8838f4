import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'

/** A time that is cut into parts of the same length, and whose deliveries are counted in it. */
export interface DeliveryPeriod {
  readonly workspaceId: number
  /** All of the workspace where it is left out. */
  readonly subscriptionId?: number | undefined
  readonly since: number
  readonly length: number
}

const ofPeriod = (db: Db, { workspaceId, subscriptionId }: DeliveryPeriod) => {
  const all = db.selectFrom('deliveries').where('workspace_id', '=', workspaceId)
  return subscriptionId === undefined ? all : all.where('subscription_id', '=', subscriptionId)
}

/**
 * How many deliveries were made in each part, by whether the receiver has taken them. One that is tried again has failed
 * so far; one that waits for its first attempt is neither. Ids grow with time, so what is older is not read.
 */
export async function countByPart(db: Db, period: DeliveryPeriod) {
  const older = await ofPeriod(db, period)
    .select('id')
    .where('created_at', '<', period.since)
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst()
  const { since, length } = period
  const rows = await ofPeriod(db, period)
    .select((select) => [
      sql<number>`(created_at - cast(${since} as bigint)) / cast(${length} as bigint)`.as('part'),
      sql<number>`case when state = 'succeeded' then 1 else 0 end`.as('arrived'),
      select.fn.countAll<number>().as('deliveries'),
    ])
    .where('id', '>', older?.id ?? 0)
    .where('created_at', '>=', since)
    .where((where) =>
      where.or([
        where('state', 'in', ['succeeded', 'failed']),
        where.and([where('state', '=', 'pending'), where('attempts', '>', 0)]),
      ]),
    )
    .groupBy(['part', 'arrived'])
    .execute()
  return rows.map((row) => ({ part: Number(row.part), arrived: row.arrived === 1, deliveries: Number(row.deliveries) }))
}
