import type { EventName } from '@service/contract'
import type { Actor } from './core/admin-caller.ts'
import type { ServerClock } from './core/clock.ts'
import type { Config } from './core/config.ts'
import type { Ids } from './core/ids.ts'
import type { DueSignal, Lifecycle, WakeSignal } from './core/lifecycle.ts'
import type { Log } from './core/log.ts'
import type { Metrics } from './core/metrics.ts'
import type { Places } from './core/places.ts'
import type { Cipher } from './encryption/cipher.ts'
import type { ChangeSignal } from './store/change-signal.ts'
import type { Db } from './store/database.ts'
import type { ListCache } from './store/list-cache.ts'
import type { RowCache } from './store/row-cache.ts'
import type { Store } from './store/store.ts'
import type { RowRef } from './store/workspace-keys.ts'

/** Passed to every service: the database, clock, ids, configuration, and log. */
export interface App {
  readonly db: Db
  readonly store: Store
  readonly clock: ServerClock
  readonly ids: Ids
  readonly config: Config
  readonly log: Log
  readonly hooks: DomainHooks
  /** Wakes the worker when a delivery is due. */
  readonly wakeSignal: WakeSignal
  /** Schedules maintenance at a due time. */
  readonly dueSignal: DueSignal
  /** Reports which tables have changed, in this or another process on the same database. */
  readonly changes: ChangeSignal
  readonly metrics: Metrics
  /** Cached list responses, if this process sees every change. */
  readonly listCache: ListCache | undefined
  /** Cached credentials of the REST API and inbound integrations, if this process sees every change. */
  readonly credentialCache: RowCache | undefined
  readonly lifecycle: Lifecycle
  /** Counts the exports and live streams of this process. */
  readonly places: Places
  /** Encrypts secrets that must be decrypted later. */
  readonly cipher: Cipher
  /** The only workspace that the current request may change, if it concerns just one. */
  readonly workspaceId?: number | undefined
  /** The W3C trace context that the caller of the current request sent. */
  readonly traceparent?: string | undefined
  /** The author of changes, if known. */
  readonly actor?: Actor | undefined
}

/** The app of a request that concerns one workspace. */
export interface WorkspaceApp extends App {
  readonly workspaceId: number
}

declare const insideTransaction: unique symbol

/** An app inside a transaction. Functions that must commit with a change require it, so mistakes do not compile. */
export interface TxApp extends App {
  readonly [insideTransaction]: true
  /** Set while rules run. */
  readonly automation?: AutomationBudget
}

/** The budget for rules that one change triggers, shared by all of them. */
export interface AutomationBudget {
  /** How many rules triggered each other so far. */
  readonly depth: number
  readonly used: {
    actions: number
    /** Each rule and ticket with a logged outcome. */
    readonly logged: Set<string>
  }
}

/** The key of a ticket. */
export type TicketRef = RowRef

/** Fields of a reported error that rules can match. */
type ReportedError = Readonly<
  Record<'exception' | 'message' | 'app' | 'environment' | 'framework' | 'severity', string | null>
>

/**
 * Domain logic that runs in the transaction of a change: SLAs, rules, and an embedder's code. `bootstrap.ts` sets these
 * hooks and modules only call them, so that tickets do not depend on rules.
 */
export interface DomainHooks {
  /** Runs after a workspace is created. A test may subscribe to the events of all workspaces. */
  readonly workspaceCreated?: ((app: TxApp, workspaceId: number) => Promise<void>) | undefined
  /** Called with every event and the body that is signed and sent. */
  readonly eventStored?: ((event: EventName, body: string) => void) | undefined
  /**
   * Reads what the creation of a ticket needs. Called before its number is taken, because from then on other creations in the
   * workspace wait. The result runs before `ticket.created` is stored and returns true if the ticket changed.
   */
  ticketCreation(app: TxApp, workspaceId: number): Promise<(app: TxApp, ticket: TicketRef) => Promise<boolean>>
  ticketUpdated(app: TxApp, ticket: TicketRef, changedFields: readonly string[]): Promise<void>
  errorReported(app: TxApp, ticket: TicketRef, error: ReportedError & { readonly count: number }): Promise<void>
}
