import type { CreatedTicket } from '@service/client'
import type { Admin } from '@service/client/admin'
import type { App, DomainHooks } from './context.ts'
import type { ServerClock } from './core/clock.ts'
import type { Config } from './core/config.ts'
import type { Ids } from './core/ids.ts'
import { createDueSignal, createLifecycle, createWakeSignal } from './core/lifecycle.ts'
import type { Log } from './core/log.ts'
import { createMetrics } from './core/metrics.ts'
import { createPlaces } from './core/places.ts'
import { createAppCipher } from './encryption/cipher.ts'
import { fixedKeys, type KeyRing, toKey } from './encryption/key-ring.ts'
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
interface AppParts {
  readonly config: Config
  readonly store: Store
  /** The encryption keys. Without them, secrets cannot be stored. */
  readonly keys: KeyRing | undefined
  readonly clock: ServerClock
  readonly ids: Ids
  readonly log: Log
  readonly hooks: DomainHooks
}

export const createApp = ({ store, keys, ...parts }: AppParts): App => ({
  ...parts,
  ...storeBoundParts(store),
  cipher: createAppCipher(keys, parts.ids),
  lifecycle: createLifecycle(),
  places: createPlaces(),
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
export function withServerHooks(platformHooks: DomainHooks, { ticketCreated }: ServerHooks): DomainHooks {
  if (ticketCreated === undefined) return platformHooks
  return {
    ...platformHooks,
    async ticketCreation(app, workspaceId) {
      const runAutomation = await platformHooks.ticketCreation(app, workspaceId)
      return async (app, ticket) => {
        await runAutomation(app, ticket)
        // Imported lazily: the command line has no hooks, and the client of every route would slow down each start.
        const { createAdmin } = await import('./http/in-process-admin.ts')
        await ticketCreated(await getCreated(app, ticket.workspaceId, ticket.id), createAdmin(app))
        return true
      }
    },
  }
}
