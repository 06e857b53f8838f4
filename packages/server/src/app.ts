import type { CreatedTicket } from '@service/contract'
import { type Admin, createAdmin } from './admin/admin.ts'
import { createAlarm } from './alarm.ts'
import { createBell } from './bell.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { App } from './context.ts'
import type { Hooks } from './hooks.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'
import { createMetrics } from './metrics.ts'
import { automationHooks } from './modules/automation/hooks.ts'
import { getCreated } from './modules/tickets/service.ts'
import { appSealer } from './sealing/app-sealer.ts'
import type { Store } from './store/store.ts'

/** Code of an embedder that runs inside the transaction of a change; throwing undoes the change. */
export interface ServerHooks {
  /** `admin` works in the ticket's transaction: what it creates or changes commits with the ticket or not at all. */
  ticketCreated?(ticket: CreatedTicket, admin: Admin): void | Promise<void>
}

/** What an app is made from. */
export interface AppParts {
  readonly config: Config
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly hooks: ServerHooks
  readonly workspaceCreated: NonNullable<Hooks['workspaceCreated']>
  readonly eventKept: Hooks['eventKept']
}

export const createApp = ({ store, hooks, workspaceCreated, eventKept, ...parts }: AppParts): App => ({
  ...parts,
  ...runningParts(store),
  hooks: { ...withHooks(hooks), workspaceCreated, eventKept },
  sealer: appSealer(parts.config, parts.ids),
})

/** A state of another server was sealed with that server's key. */
export function keyedParts(app: App, encryptionKey: string | undefined): Pick<App, 'config' | 'sealer'> {
  const config = { ...app.config, encryptionKey }
  return { config, sealer: appSealer(config, app.ids) }
}

/** What belongs to one database: another one gets others. */
export const runningParts = (store: Store) => ({
  store,
  db: store.db,
  bell: createBell(),
  alarm: createAlarm(),
  metrics: createMetrics(),
})

/** An embedder's code runs after the platform's own rules, in the same transaction. */
function withHooks({ ticketCreated }: ServerHooks): Hooks {
  if (ticketCreated === undefined) return automationHooks
  return {
    ...automationHooks,
    async ticketCreated(app, place) {
      await automationHooks.ticketCreated(app, place)
      await ticketCreated(await getCreated(app, place.workspaceId, place.id), createAdmin(app))
      return true
    },
  }
}
