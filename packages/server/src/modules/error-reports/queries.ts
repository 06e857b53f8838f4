import type { Page } from '../../page.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/newest-first.ts'
import { prepared } from '../../store/prepared.ts'
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

export const linkTicket = (db: Db, id: number, ticketId: number) =>
  db.updateTable('error_groups').set({ ticket_id: ticketId }).where('id', '=', id).execute()

export const listGroups = (db: Db, workspaceId: number, page: Page): Promise<GroupRow[]> =>
  newestFirst(db.selectFrom('error_groups').selectAll().where('workspace_id', '=', workspaceId), page).execute()
