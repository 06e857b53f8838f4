import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/newest-first.ts'
import { prepared } from '../../store/prepared.ts'
import { whereEqual } from '../../store/where-equal.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import type { ErrorGroupsTable } from './table.ts'

export type Occurrence = Omit<ErrorGroupsTable, 'id' | 'ticket_id' | 'count' | 'first_seen_at'>
export type GroupRow = Omit<ErrorGroupsTable, 'id'> & { id: number }

interface Counted {
  readonly id: number
  readonly ticket_id: number | null
  readonly count: number
}

const count = prepared<Occurrence, Counted>((db, param) =>
  db
    .insertInto('error_groups')
    .values({
      workspace_id: param('workspace_id'),
      fingerprint: param('fingerprint'),
      ticket_id: null,
      count: 1,
      first_seen_at: param('last_seen_at'),
      last_seen_at: param('last_seen_at'),
      message: param('message'),
      exception: param('exception'),
      file: param('file'),
      line: param('line'),
      framework: param('framework'),
      environment: param('environment'),
      severity: param('severity'),
      app: param('app'),
      sample: param('sample'),
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'fingerprint']).doUpdateSet((set) => ({
        count: set('error_groups.count', '+', 1),
        last_seen_at: set.ref('excluded.last_seen_at'),
        message: set.ref('excluded.message'),
        exception: set.ref('excluded.exception'),
        file: set.ref('excluded.file'),
        line: set.ref('excluded.line'),
        framework: set.ref('excluded.framework'),
        environment: set.ref('excluded.environment'),
        severity: set.ref('excluded.severity'),
        app: set.ref('excluded.app'),
        sample: set.ref('excluded.sample'),
      })),
    )
    .returning(['id', 'ticket_id', 'count']),
)

/** Counts one report. The row stays locked until the transaction ends, so of many first reports one makes the ticket. */
export async function countOccurrence(db: Db, occurrence: Occurrence): Promise<Counted> {
  const [group] = await count(db, occurrence)
  if (group === undefined) throw new Error('Counting an error report answered nothing.')
  return group
}

interface Recovery {
  readonly workspaceId: number
  readonly key: string
  readonly now: number
}

/** Counts a note that an error is over. The error's latest report stays what it was. */
export const countRecovery = (db: Db, { workspaceId, key, now }: Recovery) =>
  db
    .updateTable('error_groups')
    .set((set) => ({ count: set('count', '+', 1), last_seen_at: now }))
    .where('workspace_id', '=', workspaceId)
    .where('fingerprint', '=', key)
    .returning('ticket_id')
    .executeTakeFirst()

/** The tickets of some errors, by key. */
export async function findTicketIds(
  db: Db,
  workspaceId: number,
  keys: readonly string[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('error_groups')
    .select(['fingerprint', 'ticket_id'])
    .where('workspace_id', '=', workspaceId)
    .where('fingerprint', 'in', keys)
    .execute()
  return new Map(rows.flatMap(({ fingerprint, ticket_id }) => (ticket_id === null ? [] : [[fingerprint, ticket_id]])))
}

export const linkTicket = (db: Db, { workspaceId, id }: RowRef, ticketId: number) =>
  db
    .updateTable('error_groups')
    .set({ ticket_id: ticketId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

/** Which errors of a list; what is left out does not matter. */
export interface ErrorFilter {
  readonly app?: string | undefined
  /** `resolved` when its ticket is, else `open`. */
  readonly status?: 'open' | 'resolved' | undefined
}

export function listGroups(
  db: Db,
  workspaceId: number,
  { app, status, ...page }: Page & ErrorFilter,
): Promise<GroupRow[]> {
  const groups = whereEqual(
    db.selectFrom('error_groups').selectAll('error_groups').where('error_groups.workspace_id', '=', workspaceId),
    { app },
  )
  if (status === undefined) return newestFirst(groups, page, 'error_groups.id').execute()
  const withTickets = groups
    .leftJoin('tickets', (join) =>
      join
        .onRef('tickets.workspace_id', '=', 'error_groups.workspace_id')
        .onRef('tickets.id', '=', 'error_groups.ticket_id'),
    )
    .where('tickets.resolved_at', status === 'open' ? 'is' : 'is not', null)
  return newestFirst(withTickets, page, 'error_groups.id').execute()
}
