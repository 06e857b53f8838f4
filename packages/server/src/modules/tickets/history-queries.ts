import { sql } from 'kysely'
import type { TicketRef } from '../../context.ts'
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

/** A workspace and the start of a period. */
export interface PeriodStart {
  readonly workspaceId: number
  readonly since: number
}

/** Numbers grow with time, so a scan from the newest ticket stops at the first older one. */
const firstBefore = (db: Db, { workspaceId, since }: PeriodStart) =>
  db
    .selectFrom('tickets')
    .select('number')
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '<', since)
    .orderBy('number', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst()

export async function listOpenedAt(db: Db, period: PeriodStart): Promise<number[]> {
  const older = await firstBefore(db, period)
  const rows = await db
    .selectFrom('tickets')
    .select('created_at')
    .where('workspace_id', '=', period.workspaceId)
    .where('number', '>', older?.number ?? 0)
    .execute()
  return rows.map(({ created_at }) => created_at)
}

export async function listResolvedAt(db: Db, { workspaceId, since }: PeriodStart): Promise<number[]> {
  const rows = await db
    .selectFrom('tickets')
    .select('resolved_at')
    .where('workspace_id', '=', workspaceId)
    .where('resolved_at', '>=', since)
    .execute()
  return rows.map(({ resolved_at }) => resolved_at ?? 0)
}
