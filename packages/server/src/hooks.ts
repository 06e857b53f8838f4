import type { EventName } from '@service/contract'
import type { TxApp } from './context.ts'

/** A ticket, by its place. */
export interface TicketPlace {
  readonly workspaceId: number
  readonly id: number
}

/** What a reported error adds to what rules may look at. */
export type ErrorFacts = Readonly<
  Record<'exception' | 'message' | 'app' | 'environment' | 'framework' | 'severity', string | null>
>

/**
 * What happens to tickets besides their rows: service levels, rules, an embedder's code. All of it runs in the
 * transaction of the change. `server.ts` fills these in; the modules only call them, so tickets need not know rules.
 */
export interface Hooks {
  /** Runs when a workspace has been made: a test may listen to all of them. */
  workspaceCreated?(app: TxApp, workspaceId: number): Promise<void>
  /** Told of every event with the body that is signed and sent. */
  readonly eventKept?: ((event: EventName, body: string) => void) | undefined
  /** Runs before `ticket.created` is kept; true when the ticket changed. */
  ticketCreated(app: TxApp, ticket: TicketPlace): Promise<boolean>
  ticketUpdated(app: TxApp, ticket: TicketPlace, changedFields: readonly string[]): Promise<void>
  errorReported(app: TxApp, ticket: TicketPlace, error: ErrorFacts & { readonly count: number }): Promise<void>
}
