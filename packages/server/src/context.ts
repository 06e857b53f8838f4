import type { EventName } from '@service/contract'
import type { Actor } from './core/admin-caller.ts'
import type { ServerClock } from './core/clock.ts'
import type { Config } from './core/config.ts'
import type { Ids } from './core/ids.ts'
import type { DueSignal, Lifecycle, WakeSignal } from './core/lifecycle.ts'
import type { Log } from './core/log.ts'
import type { Metrics } from './core/metrics.ts'
import type { Cipher } from './encryption/cipher.ts'
import type { ChangeSignal } from './store/change-signal.ts'
import type { Db } from './store/database.ts'
import type { KeptRows } from './store/kept-rows.ts'
import type { ListCache } from './store/list-cache.ts'
import type { Store } from './store/store.ts'
import type { RowRef } from './store/workspace-keys.ts'

/** What every service gets: the database, the time, the ids, the configuration and the log. */
export interface App {
  readonly db: Db
  readonly store: Store
  readonly clock: ServerClock
  readonly ids: Ids
  readonly config: Config
  readonly log: Log
  readonly hooks: DomainHooks
  /** Rung when something is to be delivered. */
  readonly wakeSignal: WakeSignal
  /** Set for what falls due by the clock. */
  readonly dueSignal: DueSignal
  /** Tells which tables have changed, here or by another process on the same database. */
  readonly changes: ChangeSignal
  readonly metrics: Metrics
  /** Answers of lists, where this process sees every change. */
  readonly lists: ListCache | undefined
  /** By what callers and senders prove who they are: tokens of the REST API and inbound integrations, likewise. */
  readonly credentials: KeptRows | undefined
  readonly lifecycle: Lifecycle
  /** Encrypts the secrets that must be read again. */
  readonly cipher: Cipher
  /** The only workspace that may be changed, while a request is answered that concerns no other. */
  readonly workspaceId?: number | undefined
  /** On whose behalf things are changed, where that is known. */
  readonly actor?: Actor | undefined
}

declare const insideTransaction: unique symbol

/** An app inside a transaction. What must commit together asks for this type, so that forgetting it does not compile. */
export interface TxApp extends App {
  readonly [insideTransaction]: true
  /** Set while rules run. */
  readonly automation?: AutomationBudget
}

/** How much of what one change may set off has been used; shared by all rules that run because of it. */
export interface AutomationBudget {
  /** How many rules have set each other off to get here. */
  readonly depth: number
  readonly used: {
    actions: number
    /** Each rule and ticket that the log has an outcome of. */
    readonly logged: Set<string>
  }
}

/** A ticket, by its place. */
export type TicketRef = RowRef

/** What a reported error adds to what rules may look at. */
type ReportedError = Readonly<
  Record<'exception' | 'message' | 'app' | 'environment' | 'framework' | 'severity', string | null>
>

/**
 * What happens to tickets besides their rows: service levels, rules, an embedder's code. All of it runs in the
 * transaction of the change. `server.ts` fills these in; the modules only call them, so tickets need not know rules.
 */
export interface DomainHooks {
  /** Runs when a workspace has been made: a test may listen to all of them. */
  readonly workspaceCreated?: ((app: TxApp, workspaceId: number) => Promise<void>) | undefined
  /** Told of every event with the body that is signed and sent. */
  readonly eventKept?: ((event: EventName, body: string) => void) | undefined
  /** Runs before `ticket.created` is kept; true when the ticket changed. */
  ticketCreated(app: TxApp, ticket: TicketRef): Promise<boolean>
  ticketUpdated(app: TxApp, ticket: TicketRef, changedFields: readonly string[]): Promise<void>
  errorReported(app: TxApp, ticket: TicketRef, error: ReportedError & { readonly count: number }): Promise<void>
}
