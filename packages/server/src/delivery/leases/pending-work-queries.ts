import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../context.ts'
import type { Micros } from '../../core/clock.ts'
import { databaseMicros } from '../../store/database-clock.ts'
import { prepared } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces } from '../../store/workspace-keys.ts'

export interface PendingWork {
  readonly arrived: boolean
  readonly due: boolean
  readonly jobs: boolean
  /** When the next queue will be due. */
  readonly nextAt: Micros | undefined
}

interface AheadRow {
  readonly arrived: number
  readonly jobs: number
  readonly due: number
  readonly next_at: number | null
  /** What the database's own clock shows, where several processes share it. */
  readonly clock: number | null
}

const aheadWith = (clock: RawBuilder<unknown>) =>
  prepared<{ now: Micros }, AheadRow>((db, param) => ({
    compile: () =>
      sql<AheadRow>`select
      case when exists (select 1 from unrouted_events) then 1 else 0 end as arrived,
      case when exists (select 1 from delivery_jobs where state = 'running') then 1 else 0 end as jobs,
      case when exists (select 1 from delivery_queues where due_at <= ${param('now')} and disabled_at is null
        and (lease_until is null or lease_until <= ${param('now')})) then 1 else 0 end as due,
      (select min(due_at) from delivery_queues where due_at > ${param('now')}) as next_at, ${clock} as clock ${acrossWorkspaces('delivery')}`.compile(
        db,
      ),
  }))

const aheadOn = { sqlite: aheadWith(sql`null`), postgres: aheadWith(databaseMicros) }

/**
 * What waits for a worker. Only reads, so that a worker with nothing to do writes nothing. The clock of a shared database
 * comes along, so that all workers keep the same time and none asks for it.
 */
export async function peekPendingWork({
  store: { db, dialect },
  clock,
}: Pick<App, 'store' | 'clock'>): Promise<PendingWork> {
  const askedAtMs = clock.elapsedMs()
  const [row] = await aheadOn[dialect](db, { now: clock.scheduleNow() })
  if (row !== undefined && row.clock !== null)
    clock.syncSchedule?.({ at: row.clock, askedAtMs, answeredAtMs: clock.elapsedMs() })
  return { arrived: row?.arrived === 1, jobs: row?.jobs === 1, due: row?.due === 1, nextAt: row?.next_at ?? undefined }
}

/** When the next queue or job is to be looked at, also when that has passed already; for what has just come that is now. */
export async function nextDeliveryAt({ db }: Store, now: Micros): Promise<Micros | undefined> {
  const { rows } = await sql<{ waits: number; due_at: number | null }>`select
      case when exists (select 1 from unrouted_events) or exists (select 1 from delivery_jobs where state = 'running')
        then 1 else 0 end as waits,
      (select min(due_at) from delivery_queues where due_at is not null and disabled_at is null) as due_at
    ${acrossWorkspaces('delivery')}`.execute(db)
  const [row] = rows
  return row?.waits === 1 ? Math.min(now, row.due_at ?? now) : (row?.due_at ?? undefined)
}
