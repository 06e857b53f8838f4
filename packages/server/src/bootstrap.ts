import { randomBytes } from 'node:crypto'
import { createApp, withServerHooks } from './app.ts'
import type { App, DomainHooks } from './context.ts'
import { type Clock, type ServerClock, toServerClock } from './core/clock.ts'
import { type Config, readConfig } from './core/config.ts'
import { systemIds } from './core/ids.ts'
import { type Log, quietLog } from './core/log.ts'
import { systemClock } from './core/system-clock.ts'
import type { WorkerOptions } from './delivery/worker/worker.ts'
import { loadEncryptionKeys } from './encryption/encryption-key.ts'
import { fixedKeys, type KeyRing, toKey } from './encryption/key-ring.ts'
import { automationHooks } from './modules/automation/hooks.ts'
import { checkBackupDirectory } from './modules/backups/service.ts'
import { listUnreadableLeadSources } from './modules/crm/lead-source-service.ts'
import { disableUnreadableGit } from './modules/integrations/git-service.ts'
import { ensureConfiguredAdministrator } from './modules/users/link-service.ts'
import { disableUnreadableSubscriptions } from './modules/webhooks/lost-key-service.ts'
import { type Platform, runPlatform } from './platform.ts'
import type { ServerOptions } from './server-options.ts'
import { isInMemory, openFromBytes, openStore } from './store/open.ts'
import type { Store } from './store/store.ts'
import { inTransaction } from './store/transaction.ts'

/**
 * Extension points of the test double, in addition to the options `clock` and `ids`, `Platform.swapStore`, and the
 * request handler passed to `serve`. Production uses none of them.
 */
interface Extensions extends Pick<WorkerOptions, 'interceptSend'> {
  /** A database to open in memory, from `Store.bytes`. */
  readonly database?: Uint8Array | undefined
  /** Runs in the transaction that creates a workspace. */
  readonly workspaceCreated?: DomainHooks['workspaceCreated']
  /** Called with every stored event and its body. */
  readonly eventStored?: DomainHooks['eventStored']
}

export interface BootstrapOptions extends Extensions {
  /** The length of a worker's lease, and so the delay of its deliveries if it dies. */
  readonly leaseMs?: number | undefined
  /** False in a separate process, which runs only our code; see `SqliteOptions`. */
  readonly isEmbedded?: boolean | undefined
  /** Called before the migrations of a PostgreSQL database that is new or has no workspaces. */
  readonly onEmptyDatabase?: ((isNew: boolean) => Promise<void>) | undefined
}

type OpeningOptions = Pick<BootstrapOptions, 'isEmbedded' | 'onEmptyDatabase'>

/** Creates the app from the options, opens its database, and starts the background work. */
export async function bootstrap(
  { lookup, ...options }: ServerOptions,
  { database, workspaceCreated, eventStored, isEmbedded, onEmptyDatabase, ...worker }: BootstrapOptions = {},
): Promise<Platform> {
  const app = await openApp(options, { database, workspaceCreated, eventStored, isEmbedded, onEmptyDatabase })
  await closingOnFailure(app.store, async () => {
    checkBackupDirectory(app)
    await ensureConfiguredAdministrator(app)
  })
  return closingOnFailure(app.store, () => runPlatform(app, { lookup, ...worker }))
}

/** The app with its database, without background work. */
export async function openApp(
  {
    clock: clockOption,
    ids = systemIds(),
    log = quietLog(),
    hooks: serverHooks = {},
    ...settings
  }: Omit<ServerOptions, 'lookup'>,
  {
    database,
    workspaceCreated,
    eventStored,
    ...opening
  }: Pick<BootstrapOptions, 'database' | 'workspaceCreated' | 'eventStored' | keyof OpeningOptions> = {},
): Promise<App> {
  const config = withOwnKey(readConfig(settings))
  const clock = clockOption === undefined ? systemClock() : toServerClock(clockOption)
  const store = await openDatabase(config, { database, clock, log, ...opening })
  const keys = await closingOnFailure(store, () => keysFor(config, store, clock))
  const hooks = { ...withServerHooks(automationHooks, serverHooks), workspaceCreated, eventStored }
  const app = createApp({ config, store, keys, clock, ids, log, hooks })
  if (config.acceptLostKey) await closingOnFailure(store, () => disableUnreadable(app))
  return app
}

/** A database in memory ends with the process, so a missing key is generated. */
const withOwnKey = (config: Config): Config =>
  isInMemory(config) && config.encryptionKey === undefined
    ? { ...config, encryptionKey: randomBytes(32).toString('base64url') }
    : config

async function openDatabase(
  config: Config,
  { database, ...parts }: { database: Uint8Array | undefined; clock: ServerClock; log: Log } & OpeningOptions,
): Promise<Store> {
  return database === undefined ? openStore(config, parts) : openFromBytes(config, database, parts.clock)
}

async function keysFor(config: Config, store: Store, clock: Clock): Promise<KeyRing | undefined> {
  if (isInMemory(config)) return config.encryptionKey === undefined ? undefined : fixedKeys(toKey(config.encryptionKey))
  return loadEncryptionKeys(config, store, clock)
}

/** Disables what was encrypted with a lost key, and logs why. */
async function disableUnreadable(app: App): Promise<void> {
  const disabled = await inTransaction(app, async (app) => [
    ...(await disableUnreadableSubscriptions(app)),
    ...(await disableUnreadableGit(app)),
    ...(await listUnreadableLeadSources(app)),
  ])
  for (const sentence of disabled) app.log.warn(sentence)
}

/** Closes what was opened if a start fails, so that it does not keep the process alive. */
export async function closingOnFailure<Result>(
  opened: { close(): Promise<void> } | { stop(): Promise<void> },
  begin: () => Promise<Result>,
): Promise<Result> {
  try {
    return await begin()
  } catch (fault) {
    await ('stop' in opened ? opened.stop() : opened.close())
    throw fault
  }
}
