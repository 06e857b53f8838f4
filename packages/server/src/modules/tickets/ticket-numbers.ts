import type { Db } from '../../store/database.ts'
import { prepared } from '../../store/prepared.ts'

/** Takes the next number of the workspace. It rolls back with the transaction, so committed tickets have no gaps. */
export async function takeNumber(db: Db, workspaceId: number): Promise<number> {
  const [row] = await incrementCounter(db, { workspaceId })
  if (row === undefined) throw new Error(`The ticket counter of workspace ${workspaceId} returned no row.`)
  return row.last_number
}

const incrementCounter = prepared<{ workspaceId: number }, { last_number: number }>((db, param) =>
  db
    .insertInto('ticket_counters')
    .values({ workspace_id: param('workspaceId'), last_number: 1 })
    .onConflict((conflict) =>
      conflict
        .column('workspace_id')
        .doUpdateSet((set) => ({ last_number: set('ticket_counters.last_number', '+', 1) })),
    )
    .returning('last_number'),
)

/** The number of the newest ticket, and so the number of tickets: they have no gaps and are never deleted. */
export async function findLastNumber(db: Db, workspaceId: number): Promise<number> {
  const row = await db
    .selectFrom('ticket_counters')
    .select('last_number')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row?.last_number ?? 0
}
