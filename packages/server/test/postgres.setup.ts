import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { freePort } from './free-port.ts'
import { keepingExitCode } from './keep-exit-code.ts'
import { openTemplate, templateName } from './postgres-databases.ts'
import { reachablePostgres } from './reachable-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

let stopPostgres: () => Promise<void> = async () => undefined

/** One PostgreSQL for the whole run: TEST_POSTGRES_URL, or a server from the embedded package. */
export async function setup(project: TestProject): Promise<void> {
  const given = process.env['TEST_POSTGRES_URL']
  const started = given === undefined ? await start() : { url: given, stop: async () => undefined }
  await openTemplate(started.url, templateName)
  project.provide('postgresUrl', started.url)
  stopPostgres = started.stop
}

export const teardown = () => stopPostgres()

async function start(): Promise<{ url: string; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(await fastestDirectory(), 'service-postgres-'))
  // The server runs as a separate user, who must be able to reach the data below.
  await chmod(directory, 0o755)
  const port = await freePort()
  const EmbeddedPostgres = await keepingExitCode(() => reachablePostgres(directory))
  const postgres = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    // PostgreSQL refuses to run as root, so the package creates a user.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'max_connections=300'].flatMap((setting) => [
      '-c',
      setting,
    ]),
    onLog: () => undefined,
  })
  await postgres.initialise()
  await postgres.start()
  const stop = async () => {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true, maxRetries: 10 })
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop }
}

const memoryDirectory = '/dev/shm'
const neededBytes = 2 * 1024 ** 3

/** In memory, if there is space, creating a test database takes a fifth of the time. */
async function fastestDirectory(): Promise<string> {
  const memory = await statfs(memoryDirectory).catch(() => undefined)
  return memory !== undefined && memory.bavail * memory.bsize >= neededBytes ? memoryDirectory : tmpdir()
}
