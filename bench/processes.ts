import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Admin, createAdminClient } from '@service/client/admin'
import { freePort } from '../packages/server/test/free-port.ts'

export interface RunningServer extends AsyncDisposable {
  /** Without a path. */
  readonly origin: string
  readonly pid: number
}

export const adminToken = 'the-admin-token-of-this-benchmark'

/** Administers a started server. */
export const adminOf = ({ origin }: RunningServer, create = createAdminClient): Admin =>
  create({ baseUrl: `${origin}/admin/v1`, token: adminToken, allowInsecure: true })

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Effectively unlimited, so that requests are still counted. */
const environment = {
  SERVICE_RATE_LIMIT: '1000000000',
  SERVICE_LOG: 'off',
  SERVICE_EGRESS_ALLOW: '127.0.0.1',
  SERVICE_ADMIN_TOKEN: adminToken,
}

/** Starts the built command line without a log line per request. */
export const startPlatform = (data: string, more?: Readonly<Record<string, string>>): Promise<RunningServer> =>
  started([path('../packages/server/dist/cli.js'), 'start', '--json', '--port', '0', '--data', data], more)

/** The same on PostgreSQL. */
export const startOnPostgres = (databaseUrl: string): Promise<RunningServer> =>
  started([path('../packages/server/dist/cli.js'), 'start', '--json', '--port', '0'], {
    SERVICE_DATABASE_URL: databaseUrl,
    SERVICE_ENCRYPTION_KEY: 'a key that is only used in this benchmark, of enough characters',
    SERVICE_DATA: path('.data'),
  })

/** Runs a command of the built command line to its end. */
export const runPlatform = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [path('../packages/server/dist/cli.js'), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
  })

/** Starts a program of this folder that prints `{ base_url }` when it is ready. */
export const startProgram = (name: string, ...args: readonly string[]): Promise<RunningServer> =>
  started([path(name), ...args])

export async function startJsonServer(file: string): Promise<RunningServer> {
  const port = await freePort()
  const program = join(path('node_modules/json-server'), 'lib/bin.js')
  const child = run([program, file, '--port', String(port)], 'ignore')
  const origin = `http://127.0.0.1:${port}`
  while (
    !(await fetch(`${origin}/tickets`).then(
      (response) => response.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`json-server exited with ${child.exitCode} before it was ready.`)
    await sleep(2)
  }
  return running(child, origin)
}

async function started(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
  const child = run(args, 'pipe', more)
  if (child.stdout === null) throw new TypeError('The process has no output to read.')
  const lines = createInterface(child.stdout)
  const exited = once(child, 'exit').then(([code]): [string] => {
    throw new Error(`${args.join(' ')} exited with ${code} before it was ready.`)
  })
  const [line] = await Promise.race([once(lines, 'line'), exited])
  exited.catch(() => undefined) // it may exit now
  const { base_url } = JSON.parse(String(line)) as { base_url: string } // the first line of every program
  return running(child, new URL(base_url).origin)
}

const run = (args: readonly string[], output: 'pipe' | 'ignore', more: Readonly<Record<string, string>> = {}) =>
  spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...environment, ...more },
    stdio: ['ignore', output, 'inherit'],
  })

const running = (child: ChildProcess, origin: string): RunningServer => ({
  origin,
  pid: child.pid ?? 0,
  async [Symbol.asyncDispose]() {
    if (child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill()
    await exited
  },
})

/** CPU time of all threads of a process, including garbage collection and compilation. */
export function cpuMicros(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000
}

export function rssMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** A folder in the repository, because /tmp may be in memory, where a commit is free. */
export function temporaryFolder(): Disposable & { path(name: string): string } {
  const home = path('.data')
  mkdirSync(home, { recursive: true })
  const folder = mkdtempSync(join(home, 'run-'))
  return {
    path: (name) => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }),
  }
}
