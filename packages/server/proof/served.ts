import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cpuMicros } from '../../../bench/processes/usage.ts'
import type { ProcessSample } from './process-monitor.ts'

const monitors = ['./turn-monitor.ts', './process-monitor.ts']
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

/** A platform in a process of its own, as it was built, with a workspace in which errors and Git are switched on. */
export interface Served {
  readonly url: string
  readonly port: number
  readonly workspace: number
  readonly token: string
  readonly errorSecret: string
  readonly attendanceSecret: string
  readonly leadSecret: string
  readonly adminToken: string
  /** Opens the dashboard as the owner of the workspace, once. */
  readonly signInUrl: string
  /** The directory of its database. */
  readonly data: string
  /** Resident memory in MB; the highest since the start with `'peak'`. */
  memoryMb(what: 'now' | 'peak'): number
  /** CPU of the longest turn of its event loop since this was asked for the last time, in ms. */
  longestTurnMs(): Promise<number>
  /** What it holds after all garbage is collected. */
  sample(): Promise<ProcessSample>
  /** How many files and sockets it has open. */
  openFiles(): number
  /** Processor time that it has taken since it was started. */
  cpuMs(): number
  signal(name: NodeJS.Signals): void
  readonly ended: Promise<number | null>
  stop(): Promise<void>
}

export async function serve(environment: Readonly<Record<string, string>> = {}): Promise<Served> {
  const data = await mkdtemp(join(tmpdir(), 'service-proof-'))
  const child = fork(cli, ['start', '--demo', '--json', '--port', '0', '--data', data], {
    env: { PATH: process.env['PATH'], SERVICE_RATE_LIMIT: 'off', SERVICE_LOG: 'warn', ...environment },
    execArgv: monitors.flatMap((file) => ['--import', fileURLToPath(new URL(file, import.meta.url))]),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  // A proof that fails in the middle leaves nothing behind.
  process.once('exit', () => child.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = JSON.parse(await firstLine(child, ended))
  const url = new URL(ready.base_url).origin
  return {
    url,
    port: Number(new URL(url).port),
    workspace: ready.workspace,
    token: ready.token,
    errorSecret: ready.secrets.errors,
    attendanceSecret: ready.secrets.attendance,
    leadSecret: ready.secrets.leads.website ?? '',
    adminToken: ready.admin_token,
    signInUrl: ready.dashboard_url,
    data,
    memoryMb: (what) => memoryOf(child, what),
    longestTurnMs: () => ask(child, 'longest turn'),
    sample: () => ask(child, 'sample'),
    cpuMs: () => cpuMicros(child.pid ?? 0) / 1000,
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
    signal: (name) => void child.kill(name),
    ended,
    async stop() {
      if (child.exitCode === null) child.kill('SIGKILL')
      await ended
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** Asks a monitor, see `monitors`. */
async function ask(child: ChildProcess, question: string) {
  const said = once(child, 'message')
  child.send(question)
  const [answer] = await said
  return answer
}

function firstLine({ stdout }: ChildProcess, ended: Promise<number | null>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    stdout?.on('data', (text) => {
      said += text
      if (said.includes('\n')) resolve(said.slice(0, said.indexOf('\n')))
    })
    void ended.then((code) => reject(new Error(`The server ended with ${code} before it was ready.`)))
  })
}

const fieldOf = { now: 'VmRSS', peak: 'VmHWM' } as const

function memoryOf({ pid }: ChildProcess, what: 'now' | 'peak'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${fieldOf[what]}:\\s+(\\d+) kB`, 'm').exec(status) ?? []
  return Math.round(Number(kilobytes) / 1000)
}
