import type { CreatedTicket } from '@service/contract'
import type { TxApp } from '../../context.ts'

/**
 * The one place for what happens to a fresh ticket besides its row: SLA due times, rules, an embedder's hook.
 * It runs in the transaction of the creation, so what it does commits with the ticket or not at all.
 */
export async function ticketCreated(app: TxApp, ticket: CreatedTicket): Promise<void> {
  await app.hooks.ticketCreated?.(ticket, app)
}
