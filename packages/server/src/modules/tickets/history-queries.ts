import { sql } from 'kysely'
import type { TicketRef } from '../../context.ts'
import { microsPerHour } from '../../core/clock.ts'
import type { Db } from '../../store/database.ts'
import { jsonIds, memberName } from '../../store/list-query.ts'
import { prepared } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import type { TicketHistoryTable } from './table.ts'

type NewHistoryRow = Omit<TicketHistoryTable, 'id'>

const insert = prepared<NewHistoryRow, never>((db, param) =>
  db.insertInto('ticket_history').values({
    workspace_id: param('workspace_id'),
    ticket_id: param('ticket_id'),
    kind: param('kind'),
    changes: param('changes'),
    actor_kind: param('actor_kind'),
    actor_id: param('actor_id'),
    at: param('at'),
  }),
)

export const insertHistory = async (db: Db, row: NewHistoryRow): Promise<void> => void (await insert(db, row))

/** History entries, newest first, with the name of the user. */
export const listHistory = (db: Db, { workspaceId, id }: TicketRef, limit: number) =>
  db
    .selectFrom('ticket_history')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'ticket_history.actor_id').on('ticket_history.actor_kind', '=', 'user'),
    )
    .select([
      'kind',
      'changes',
      'actor_kind',
      'actor_id',
      'at',
      memberName<string | null>(workspaceId, 'users').as('user_name'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('ticket_id', '=', id)
    .orderBy('ticket_history.id', 'desc')
    .limit(limit)
    .execute()

/** The latest change of each of these tickets that has one. */
export const listLatestChanges = ({ dialect, db }: Store, workspaceId: number, ticketIds: readonly number[]) =>
  db
    .selectFrom('ticket_history')
    .select(['ticket_id', 'changes'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', (query) =>
      query
        .selectFrom('ticket_history')
        .select(({ fn }) => fn.max<number>('id').as('id'))
        .where('workspace_id', '=', workspaceId)
        .where('ticket_id', 'in', jsonIds(dialect, ticketIds))
        .groupBy('ticket_id'),
    )
    .execute()

/** How many tickets were created before each of these instants. */
export async function countOpenedBefore(db: Db, workspaceId: number, instants: readonly number[]): Promise<number[]> {
  const last = await db
    .selectFrom('tickets')
    .select('number')
    .where('workspace_id', '=', workspaceId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const lastNumber = last?.number ?? 0
  const longestStep = 2 ** Math.floor(Math.log2(Math.max(1, lastNumber)))
  const bounds = instants.map((at, part) => sql`select cast(${part} as bigint) as part, cast(${at} as bigint) as at`)
  // Numbers have no gaps and grow with time, so a binary search finds the last ticket before an instant.
  const isBefore = sql`(select created_at from tickets where workspace_id = ${workspaceId} and number <= low + step
    order by number desc limit 1) < at`
  const { rows } = await sql<{ part: number; low: number }>`with recursive
    bounds as (${sql.join(bounds, sql` union all `)}),
    search (part, at, low, step) as (
      select part, at, cast(0 as bigint), cast(${longestStep} as bigint) from bounds
      union all
      select part, at, low + case when ${isBefore} then step else 0 end, step / 2 from search where step > 0
    )
    select part, low from search where step = 0`.execute(db)
  // A step may end behind the last ticket.
  const counts = new Map(rows.map(({ part, low }) => [Number(part), Math.min(Number(low), lastNumber)]))
  return instants.map((_, part) => counts.get(part) ?? 0)
}

/** A workspace, and the start and the length of the first part of a period. */
export interface TicketPeriod {
  readonly workspaceId: number
  readonly since: number
  readonly length: number
}

/** Counts a ticket that was resolved in this hour, or uncounts one that is reopened. */
export const countResolved = (
  db: Db,
  { workspaceId, at, by }: { readonly workspaceId: number; readonly at: number; readonly by: 1 | -1 },
) =>
  db
    .insertInto('resolved_counts')
    .values({ workspace_id: workspaceId, hour: Math.floor(at / microsPerHour), tickets: by })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'hour'])
        .doUpdateSet((set) => ({ tickets: set('resolved_counts.tickets', '+', by) })),
    )
    .execute()

/** The number of tickets resolved in each part, by the number of the part. */
export async function listResolved(db: Db, { workspaceId, since, length }: TicketPeriod): Promise<Map<number, number>> {
  const hours = length / microsPerHour
  const first = since / microsPerHour
  const rows = await db
    .selectFrom('resolved_counts')
    .select(['hour', 'tickets'])
    .where('workspace_id', '=', workspaceId)
    .where('hour', '>=', first)
    .execute()
  const counts = new Map<number, number>()
  for (const { hour, tickets } of rows) {
    const part = Math.floor((hour - first) / hours)
    counts.set(part, (counts.get(part) ?? 0) + tickets)
  }
  return counts
}
