import { sql } from 'kysely'
import type { ServerClock } from '../core/clock.ts'
import type { Store } from './store.ts'

/** PostgreSQL: the clock of the database at this moment; `now()` would be the beginning of the transaction. */
export const databaseMicros = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)`

/** Sets the schedule by the database's clock where several processes share it: what one puts off is due for all at once. */
export async function syncSchedule({ dialect, db }: Store, clock: ServerClock): Promise<void> {
  if (dialect === 'sqlite' || clock.syncSchedule === undefined) return
  const askedAtMs = clock.elapsedMs()
  const { rows } = await sql<{ clock: number }>`select ${databaseMicros} as clock`.execute(db)
  const answeredAtMs = clock.elapsedMs()
  for (const { clock: at } of rows) clock.syncSchedule({ at, askedAtMs, answeredAtMs })
}

/** How far the database's clock is ahead of this machine's; nothing where they are one. */
export async function clockDifferenceMs({ dialect, db }: Store, clock: Pick<ServerClock, 'now'>): Promise<number> {
  if (dialect === 'sqlite') return 0
  const { rows } = await sql<{ clock: number }>`select ${databaseMicros} as clock`.execute(db)
  return Number(rows[0]?.clock ?? 0) / 1000 - clock.now() / 1000
}
