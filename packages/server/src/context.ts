import type { Alarm } from './alarm.ts'
import type { Bell } from './bell.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Hooks } from './hooks.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Sealer } from './sealing/seal.ts'
import type { Db } from './store/database.ts'
import type { Store } from './store/store.ts'

/** What every service gets: the database, the time, the ids, the configuration and the log. */
export interface App {
  readonly db: Db
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly config: Config
  readonly log: Log
  readonly hooks: Hooks
  /** Rung when something is to be delivered. */
  readonly bell: Bell
  /** Set for what falls due by the clock. */
  readonly alarm: Alarm
  readonly metrics: Metrics
  /** Encrypts the secrets that must be read again. */
  readonly sealer: Sealer
}

declare const insideTransaction: unique symbol

/** An app inside a transaction. What must commit together asks for this type, so that forgetting it does not compile. */
export interface TxApp extends App {
  readonly [insideTransaction]: true
  /** How many rules have set each other off to get here. */
  readonly automationDepth?: number
}
