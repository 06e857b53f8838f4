import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, inject, onTestFinished } from 'vitest'
import { createServer, type Server, type ServerOptions } from '../src/index.ts'
import { databaseFileName } from '../src/store/directory-lock.ts'
import { migrate } from '../src/store/migrate.ts'
import { openSqlite } from '../src/store/sqlite.ts'
import { createTestServer, type TestServer, type TestServerOptions } from '../src/testing/entries/testing.ts'
import { checkingFetch } from './checking-fetch.ts'
import { manualClock } from './manual-clock.ts'
import { checkStatements, createDatabase } from './postgres-databases.ts'

export type StoreName = 'memory' | 'sqlite' | 'postgres'

const everyStore: readonly StoreName[] = ['memory', 'sqlite', 'postgres']
/** A platform is seldom kept in memory, and SQLite is the same there. */
const everyDatabase: readonly StoreName[] = ['sqlite', 'postgres']

/** The stores of tests that do not choose. Each project of vitest.config.ts sets its own. */
const defaultStores = process.env['DEFAULT_STORES']?.split(',') as readonly StoreName[] | undefined

/** `TEST_STORES=memory` selects stores, for example to run the same tests hundreds of times. */
const isSelected = (store: StoreName) => process.env['TEST_STORES']?.split(',').includes(store) ?? true

/** Runs the same tests on every database. `start` starts a separate platform for each test. */
export function onEveryStore(
  name: string,
  tests: (start: Start, store: StoreName) => void,
  stores: readonly StoreName[] = defaultStores ?? everyDatabase,
): void {
  for (const store of stores.filter(isSelected))
    describe(`${name} on ${store}`, () => tests(starter(store, createServer), store))
}

/** Runs the same tests with the test double on every database. */
export function onEveryTestStore(
  name: string,
  tests: (start: StartForTests, store: StoreName) => void,
  stores: readonly StoreName[] = defaultStores ?? everyStore,
): void {
  for (const store of stores.filter(isSelected))
    describe(`${name} on ${store}`, () => tests(starter(store, createTestServer), store))
}

export type Start = (options?: ServerOptions) => Promise<Server>
export type StartForTests = (options?: TestServerOptions) => Promise<TestServer>

/** Starts a server that closes when the test ends. By default its clock is stopped. */
function starter<Started extends Server, Options extends object>(
  store: StoreName,
  create: (options: Options) => Promise<Started>,
): (options?: Options) => Promise<Started> {
  return async (options) => {
    const storage = await createStorage(store)
    // Both kinds of server accept these options.
    const server = await create({ clock: manualClock(), ...storage.options, ...options } as Options)
    onTestFinished(async () => {
      await server.close()
      await storage.remove()
    })
    return { ...server, fetch: checkingFetch(server) }
  }
}

/** Waits as long as a test may, so that none depends on the speed of PostgreSQL. */
const patientDatabase = {
  databaseWaitTimeoutMs: 120_000,
  databaseLockTimeoutMs: 120_000,
  databaseStatementTimeoutMs: 120_000,
} satisfies ServerOptions

/** Creates the storage of one test: none, a directory, or a separate database. */
export async function createStorage(store: StoreName): Promise<{ options: ServerOptions; remove(): Promise<void> }> {
  if (store === 'memory') return { options: {}, remove: async () => undefined }
  if (store === 'postgres') {
    const { url, drop } = await createDatabase(inject('postgresUrl'))
    return { options: { databaseUrl: url, ...patientDatabase }, remove: drop }
  }
  const data = await mkdtemp(join(tmpdir(), 'service-sqlite-'))
  template ??= migrateOnce()
  await writeFile(join(data, databaseFileName), await template, { mode: 0o600 })
  return {
    options: { data, synchronous: 'normal' },
    async remove() {
      await rm(data, { recursive: true, force: true, maxRetries: 10 })
      await checkStatements(inject('postgresUrl'))
    },
  }
}

let template: Promise<Uint8Array> | undefined

/** A migrated, empty database. Tests copy it, which takes a tenth of the time. */
async function migrateOnce(): Promise<Uint8Array> {
  const store = openSqlite({ path: ':memory:', synchronous: 'normal', stopwatchMs: () => 0 })
  await migrate(store, manualClock())
  const bytes = store.bytes?.()
  await store.close()
  if (bytes === undefined) throw new Error('A database in memory has no bytes.')
  return bytes
}
