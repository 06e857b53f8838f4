import type { CreatedTicket } from '@service/contract'
import type { TxApp } from './context.ts'

/** Code of an embedder as the services call it: inside the transaction of the change. */
export interface Hooks {
  ticketCreated?(ticket: CreatedTicket, app: TxApp): void | Promise<void>
}
