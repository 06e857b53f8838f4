import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, inject, onTestFinished } from 'vitest'
import { createServer, type PlatformServer, type ServerOptions } from '../src/index.ts'
import { checkingFetch } from './checking-fetch.ts'
import { manualClock } from './manual-clock.ts'
import { createDatabase } from './postgres-databases.ts'

export type StoreName = 'memory' | 'sqlite' | 'postgres'

/** Runs the same tests on every database. `start` gives each test a platform of its own. */
export function onEveryStore(
  name: string,
  tests: (start: Start, store: StoreName) => void,
  stores: readonly StoreName[] = ['memory', 'sqlite', 'postgres'],
): void {
  for (const store of stores) describe(`${name} on ${store}`, () => tests(starter(store), store))
}

export type Start = (options?: ServerOptions) => Promise<PlatformServer>

/** A server that is closed when its test ends. Its clock stands still unless another is given. */
function starter(store: StoreName): Start {
  return async (options = {}) => {
    const place = await placeOf(store)
    const server = await createServer({ clock: manualClock(), ...place.options, ...options })
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
    return { options: { databaseUrl: url }, remove: drop }
  }
  const data = await mkdtemp(join(tmpdir(), 'service-sqlite-'))
  return { options: { data, synchronous: 'normal' }, remove: () => rm(data, { recursive: true, force: true }) }
}
