import { sql } from 'kysely'
import type { Micros } from '../clock.ts'
import { prepared } from '../store/prepared.ts'
import type { Store } from '../store/store.ts'

export interface Ahead {
  readonly arrived: boolean
  readonly due: boolean
  readonly jobs: boolean
  /** When the next queue will be due. */
  readonly nextAt: Micros | undefined
}

const ahead = prepared<{ now: Micros }, { arrived: number; jobs: number; due: number; next_at: number | null }>(
  (db, param) => ({
    compile: () =>
      sql<{ arrived: number; jobs: number; due: number; next_at: number | null }>`select
      case when exists (select 1 from delivery_arrivals) then 1 else 0 end as arrived,
      case when exists (select 1 from delivery_jobs where state = 'running') then 1 else 0 end as jobs,
      case when exists (select 1 from delivery_queues where due_at <= ${param('now')} and disabled_at is null
        and (lease_until is null or lease_until <= ${param('now')})) then 1 else 0 end as due,
      (select min(due_at) from delivery_queues where due_at > ${param('now')}) as next_at`.compile(db),
  }),
)

/** What waits for a worker. Only reads, so that a worker with nothing to do writes nothing. */
export async function lookAhead({ db }: Store, now: Micros): Promise<Ahead> {
  const [row] = await ahead(db, { now })
  return { arrived: row?.arrived === 1, jobs: row?.jobs === 1, due: row?.due === 1, nextAt: row?.next_at ?? undefined }
}

/** When the next queue or job is to be looked at, also when that has passed already; for what has just come that is now. */
export async function nextDeliveryAt({ db }: Store, now: Micros): Promise<Micros | undefined> {
  const { rows } = await sql<{ waits: number; due_at: number | null }>`select
      case when exists (select 1 from delivery_arrivals) or exists (select 1 from delivery_jobs where state = 'running')
        then 1 else 0 end as waits,
      (select min(due_at) from delivery_queues where due_at is not null and disabled_at is null) as due_at`.execute(db)
  const [row] = rows
  return row?.waits === 1 ? Math.min(now, row.due_at ?? now) : (row?.due_at ?? undefined)
}
