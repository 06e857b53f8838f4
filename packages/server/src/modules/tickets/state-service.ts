import type { App, TxApp } from '../../core/context.ts'
import * as queries from './queries.ts'
import { toTicketNumber } from './ticket-number.ts'
import { updateTicket } from './update-service.ts'

/** Whether a ticket is resolved, for whoever counts on it. */
export interface TicketState {
  readonly id: number
  readonly ticket_number: string
  readonly resolvedAt: number | null
}

export async function findTicketState(app: App, workspaceId: number, id: number): Promise<TicketState | undefined> {
  const row = await queries.findState(app.db, workspaceId, id)
  return row && { id: row.id, ticket_number: toTicketNumber(row.number), resolvedAt: row.resolved_at }
}

/** Opens a resolved or closed ticket again. */
export async function reopenTicket(app: TxApp, at: { workspaceId: number; id: number }): Promise<void> {
  await updateTicket(app, at, { status: 'open' })
}

/** Resolves an open ticket: `ticket.updated` and `ticket.resolved` go out. */
export async function resolveTicket(app: App, at: { workspaceId: number; id: number }): Promise<void> {
  await updateTicket(app, at, { status: 'resolved' })
}
