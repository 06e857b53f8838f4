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
import { invalidatedByTable } from './modules/tokens/service.ts'
import { createChangeSignal } from './store/change-signal.ts'
import { createListCache } from './store/list-cache.ts'
import { createRowCache } from './store/row-cache.ts'
import type { Store } from './store/store.ts'

/** Runs an embedder's code inside the transaction of a change. If it throws, the change is rolled back. */
export interface ServerHooks {
  /** `admin` joins the ticket's transaction: its changes commit together with the ticket or not at all. */
  ticketCreated?(ticket: CreatedTicket, admin: Admin): void | Promise<void>
}

/** The parts of an app. */
export interface AppParts {
  readonly config: Config
  readonly store: Store
  /** The encryption keys. Without them, secrets cannot be stored. */
  readonly keys: KeyRing | undefined
  readonly clock: ServerClock
  readonly ids: Ids
  readonly log: Log
  readonly hooks: ServerHooks
  readonly workspaceCreated: DomainHooks['workspaceCreated']
  readonly eventStored: DomainHooks['eventStored']
}

export const createApp = ({ store, keys, hooks, workspaceCreated, eventStored, ...parts }: AppParts): App => ({
  ...parts,
  ...storeBoundParts(store),
  hooks: { ...withHooks(hooks), workspaceCreated, eventStored },
  cipher: createAppCipher(keys, parts.ids),
  lifecycle: createLifecycle(),
})

/** A state copied from another server was encrypted with that server's key. */
export function withEncryptionKey(app: App, encryptionKey: string | undefined): Pick<App, 'config' | 'cipher'> {
  const config = { ...app.config, encryptionKey }
  return {
    config,
    cipher: encryptionKey === undefined ? app.cipher : createAppCipher(fixedKeys(toKey(encryptionKey)), app.ids),
  }
}

/** The parts that belong to one database and are replaced with it. */
export const storeBoundParts = (store: Store) => ({
  store,
  db: store.db,
  wakeSignal: createWakeSignal(),
  dueSignal: createDueSignal(),
  changes: createChangeSignal(store),
  listCache: createListCache(store),
  credentialCache: createRowCache(store, (table) =>
    table === 'integrations' ? 'workspace' : invalidatedByTable(table),
  ),
  metrics: createMetrics(),
})

/** The embedder's hook runs after the platform's rules, in the same transaction. */
function withHooks({ ticketCreated }: ServerHooks): DomainHooks {
  if (ticketCreated === undefined) return automationHooks
  return {
    ...automationHooks,
    async ticketCreated(app, ticket) {
      await automationHooks.ticketCreated(app, ticket)
      // Imported lazily: the command line has no hooks, and the client of every route would slow down each start.
      const { createAdmin } = await import('./http/in-process-admin.ts')
      await ticketCreated(await getCreated(app, ticket.workspaceId, ticket.id), createAdmin(app))
      return true
    },
  }
}
