import type { Admin } from '@service/client/admin'
import type { CreatedTicket } from '@service/contract'
import type { App, DomainHooks } from './context.ts'
import type { ServerClock } from './core/clock.ts'
import type { Config } from './core/config.ts'
import type { Ids } from './core/ids.ts'
import { createDueSignal, createLifecycle, createWakeSignal } from './core/lifecycle.ts'
import type { Log } from './core/log.ts'
import { createMetrics } from './core/metrics.ts'
import { createAppCipher } from './encryption/cipher.ts'
import { fixedKeys, type KeyRing, toKey } from './encryption/key-ring.ts'
import { automationHooks } from './modules/automation/hooks.ts'
import { getCreated } from './modules/tickets/service.ts'
import { concernOfTokens } from './modules/tokens/service.ts'
import { createChangeSignal } from './store/change-signal.ts'
import { createKeptRows } from './store/kept-rows.ts'
import { createListCache } from './store/list-cache.ts'
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
  /** What encrypts secrets; without one none are kept. */
  readonly keys: KeyRing | undefined
  readonly clock: ServerClock
  readonly ids: Ids
  readonly log: Log
  readonly hooks: ServerHooks
  readonly workspaceCreated: DomainHooks['workspaceCreated']
  readonly eventKept: DomainHooks['eventKept']
}

export const createApp = ({ store, keys, hooks, workspaceCreated, eventKept, ...parts }: AppParts): App => ({
  ...parts,
  ...storeBoundParts(store),
  hooks: { ...withHooks(hooks), workspaceCreated, eventKept },
  cipher: createAppCipher(keys, parts.ids),
  lifecycle: createLifecycle(),
})

/** A state of another server was encrypted with that server's key. */
export function withEncryptionKey(app: App, encryptionKey: string | undefined): Pick<App, 'config' | 'cipher'> {
  const config = { ...app.config, encryptionKey }
  return {
    config,
    cipher: encryptionKey === undefined ? app.cipher : createAppCipher(fixedKeys(toKey(encryptionKey)), app.ids),
  }
}

/** What belongs to one database: another one gets others. */
export const storeBoundParts = (store: Store) => ({
  store,
  db: store.db,
  wakeSignal: createWakeSignal(),
  dueSignal: createDueSignal(),
  changes: createChangeSignal(store),
  lists: createListCache(store),
  credentials: createKeptRows(store, (table) => (table === 'integrations' ? 'workspace' : concernOfTokens(table))),
  metrics: createMetrics(),
})

/** An embedder's code runs after the platform's own rules, in the same transaction. */
function withHooks({ ticketCreated }: ServerHooks): DomainHooks {
  if (ticketCreated === undefined) return automationHooks
  return {
    ...automationHooks,
    async ticketCreated(app, place) {
      await automationHooks.ticketCreated(app, place)
      // Not imported above: the command line has no hooks, and would load the client of every route at each start.
      const { createAdmin } = await import('./http/in-process-admin.ts')
      await ticketCreated(await getCreated(app, place.workspaceId, place.id), createAdmin(app))
      return true
    },
  }
}
