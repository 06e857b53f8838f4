import type { CreatedTicket } from '@service/contract'
import type { TxApp } from './context.ts'

/** Code of an embedder that runs inside the transaction of the change; throwing undoes the change. */
export interface Hooks {
  ticketCreated?(ticket: CreatedTicket, tx: TxApp): void | Promise<void>
}
