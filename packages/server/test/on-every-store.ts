import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, inject, onTestFinished } from 'vitest'
import { createServer, type Server, type ServerOptions } from '../src/index.ts'
import { createTestServer, type TestServer, type TestServerOptions } from '../src/testing/entries/testing.ts'
import { checkingFetch } from './checking-fetch.ts'
import { manualClock } from './manual-clock.ts'
import { checkStatements, createDatabase } from './postgres-databases.ts'

export type StoreName = 'memory' | 'sqlite' | 'postgres'

const everyStore: readonly StoreName[] = ['memory', 'sqlite', 'postgres']

/** The stores of tests that name none. Each project of vitest.config.ts has its own. */
const defaultStores = process.env['DEFAULT_STORES']?.split(',') as readonly StoreName[] | undefined

/** `TEST_STORES=memory` leaves the others out, to run the same tests hundreds of times. */
const isAskedFor = (store: StoreName) => process.env['TEST_STORES']?.split(',').includes(store) ?? true

/** Runs the same tests on every database. `start` gives each test a platform of its own. */
export function onEveryStore(
  name: string,
  tests: (start: Start, store: StoreName) => void,
  stores: readonly StoreName[] = defaultStores ?? everyStore,
): void {
  for (const store of stores.filter(isAskedFor))
    describe(`${name} on ${store}`, () => tests(starter(store, createServer), store))
}

/** The same with the test double, for tests of it or by it. */
export function onEveryTestStore(
  name: string,
  tests: (start: StartForTests, store: StoreName) => void,
  stores: readonly StoreName[] = defaultStores ?? everyStore,
): void {
  for (const store of stores.filter(isAskedFor))
    describe(`${name} on ${store}`, () => tests(starter(store, createTestServer), store))
}

export type Start = (options?: ServerOptions) => Promise<Server>
export type StartForTests = (options?: TestServerOptions) => Promise<TestServer>

/** A server that is closed when its test ends. Its clock stands still unless another is given. */
function starter<Started extends Server, Options extends object>(
  store: StoreName,
  create: (options: Options) => Promise<Started>,
): (options?: Options) => Promise<Started> {
  return async (options) => {
    const place = await placeOf(store)
    // What both kinds of server take.
    const server = await create({ clock: manualClock(), ...place.options, ...options } as Options)
    onTestFinished(async () => {
      await server.close()
      await place.remove()
    })
    return { ...server, fetch: checkingFetch(server) }
  }
}

/** Where a test's data stands: nowhere, in a directory or in a database of its own. */
export async function placeOf(store: StoreName): Promise<{ options: ServerOptions; remove(): Promise<void> }> {
  if (store === 'memory') return { options: {}, remove: async () => undefined }
  if (store === 'postgres') {
    const { url, drop } = await createDatabase(inject('postgresUrl'))
    // A busy machine makes a test slow, not wrong.
    return { options: { databaseUrl: url, databaseWaitTimeoutMs: 20_000 }, remove: drop }
  }
  const data = await mkdtemp(join(tmpdir(), 'service-sqlite-'))
  return {
    options: { data, synchronous: 'normal' },
    async remove() {
      await rm(data, { recursive: true, force: true, maxRetries: 10 })
      await checkStatements(inject('postgresUrl'))
    },
  }
}
