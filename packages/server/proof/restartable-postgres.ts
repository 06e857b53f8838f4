import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../test/free-port.ts'
import { keepingExitCode } from '../test/keep-exit-code.ts'
import { reachablePostgres } from '../test/reachable-postgres.ts'

/** A separate PostgreSQL that can be killed, suspended, and restarted. */
export interface RestartablePostgres {
  readonly url: string
  /** Starts it and resolves once it reports that it is ready. */
  start(): Promise<void>
  /** SIGKILL crashes it, SIGINT is a fast shutdown. Resolves when it has exited. */
  end(signal: 'SIGKILL' | 'SIGINT'): Promise<void>
  /** Suspends all of its processes (SIGSTOP), or resumes them (SIGCONT). */
  freeze(isFrozen: boolean): void
  remove(): Promise<void>
}

export async function createPostgres(): Promise<RestartablePostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'service-outages-'))
  await chmod(directory, 0o755)
  const port = await freePort()
  const databaseDir = join(directory, 'data')
  const EmbeddedPostgres = await keepingExitCode(() => reachablePostgres(directory))
  const postgres = new EmbeddedPostgres({
    databaseDir,
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // With fsync, because acknowledged writes must survive a SIGKILL.
    postgresFlags: ['-c', 'max_connections=100'],
    onLog: () => undefined,
  })
  await postgres.initialise()
  const pid = () => Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    start: () => startPatiently(() => postgres.start()),
    async end(signal) {
      const main = pid()
      process.kill(main, signal)
      while (isAlive(main)) await sleep(5)
    },
    freeze(isFrozen) {
      const main = pid()
      // The parent is suspended first, so that it starts nothing, and resumed last.
      const all = [main, ...childrenOf(main)]
      for (const each of isFrozen ? all : all.reverse()) signalIfAlive(each, isFrozen ? 'SIGSTOP' : 'SIGCONT')
    },
    async remove() {
      await postgres.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Queries the database on a separate connection. */
export async function asked(
  { url }: Pick<RestartablePostgres, 'url'>,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Right after a SIGKILL, old backends may still hold the shared memory that a new server needs. */
async function startPatiently(start: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await start()
    } catch (fault) {
      if (attempt === 50) throw fault
      await sleep(20)
    }
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number)
}

function parentOf(pid: string): number {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    return Number(rest.split(' ')[1])
  } catch {
    return 0
  }
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process exited before the signal.
  }
}

function isAlive(pid: number): boolean {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    return !rest.startsWith('Z')
  } catch {
    return false
  }
}
