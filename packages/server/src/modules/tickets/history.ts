import type { Changes } from '@service/contract'
import type { TicketRef, TxApp } from '../../core/context.ts'
import { insertHistory } from './history-queries.ts'

// What happened to a ticket has a table of its own. The events of webhooks tell of it too, but they grow old with their
// deliveries, and what happens while a ticket is created is no event. A creation writes no row: the ticket says it.

interface RecordedChange {
  readonly kind: 'changed' | 'resolved' | 'reopened'
  readonly changes: Changes
}

/** Notes a change with whoever the app acts for, in the transaction of the change. */
export const recordChange = (app: TxApp, { workspaceId, id }: TicketRef, { kind, changes }: RecordedChange) =>
  insertHistory(app.db, {
    workspace_id: workspaceId,
    ticket_id: id,
    kind,
    changes: JSON.stringify(changes),
    actor_kind: app.actor?.kind ?? null,
    actor_id: app.actor?.id ?? null,
    at: app.clock.now(),
  })
