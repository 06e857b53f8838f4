import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { listenOnFreePort } from '../test/free-port.ts'

const builtCli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

/** What the command prints once it listens. */
interface Ready {
  readonly base_url: string
  readonly pid: number
  readonly token: string
  readonly workspace: number
  /** Absent if the environment has the token. */
  readonly admin_token?: string
}

export interface SpawnedServer {
  readonly pid: number
  /** Undefined when the process exits before it is ready. */
  readonly ready: Promise<Ready | undefined>
  readonly exited: Promise<number | null>
  /** Lines of its stderr. */
  readonly errors: readonly string[]
  signal(name: NodeJS.Signals): void
  /** Resolves to the exit code, and how long the process took. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ readonly code: number | null; readonly ms: number }>
}

/** The built command in its own process, as an operator runs it. */
export function spawnServer(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cli = builtCli,
): SpawnedServer {
  const child = spawn(process.execPath, [cli, 'start', '--json', '--port', '0', ...args], {
    env: { PATH: process.env['PATH'], SERVICE_RATE_LIMIT: 'off', SERVICE_LOG: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  void exited.then(() => process.off('exit', kill))
  const errors: string[] = []
  createInterface(child.stderr).on('line', (line) => errors.push(line))
  const line = once(createInterface(child.stdout), 'line').then(([text]): Ready => JSON.parse(String(text)))
  return {
    pid: child.pid ?? 0,
    ready: Promise.race([line, exited.then(() => undefined)]),
    exited,
    errors,
    signal: (name) => void child.kill(name),
    async end(signal) {
      const startedAt = performance.now()
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return { code: await exited, ms: performance.now() - startedAt }
    },
  }
}

export interface RunningServer extends SpawnedServer {
  readonly url: string
  readonly token: string
  readonly workspace: number
  readonly adminToken: string
}

export async function startServer(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cli?: string,
): Promise<RunningServer> {
  const server = spawnServer(args, environment, cli)
  const ready = await server.ready
  if (ready === undefined) throw new Error(`The server exited before it was ready: ${server.errors.join('\n')}`)
  const { base_url, token, workspace, admin_token: adminToken = environment['SERVICE_ADMIN_TOKEN'] ?? '' } = ready
  return { ...server, url: new URL(base_url).origin, token, workspace, adminToken }
}

export interface Receiver {
  readonly url: string
  /** How often a delivery arrived, by the title of its ticket. */
  readonly arrivals: ReadonlyMap<string, number>
  close(): void
}

const answer204 = (response: ServerResponse) => void response.writeHead(204).end()

export async function startCountingReceiver(answer = answer204): Promise<Receiver> {
  const arrivals = new Map<string, number>()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on('end', () => {
      const title = JSON.parse(text).ticket?.title ?? ''
      arrivals.set(title, (arrivals.get(title) ?? 0) + 1)
      answer(response)
    })
  })
  const port = await listenOnFreePort(server)
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/`, arrivals, close }
}
