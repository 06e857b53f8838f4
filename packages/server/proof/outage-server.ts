import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { LoadTarget } from './outage-load.ts'

// The server as an operator runs it: the command, in a process of its own, with the limits that are the default.

export interface RunningServer extends LoadTarget {
  readonly adminToken: string
  /** How often the process has ended without being asked to. */
  readonly exits: () => number
  /** Sends SIGTERM; resolves to the exit code and how long it took. */
  terminate(): Promise<{ code: number | null; ms: number }>
  readonly errors: readonly string[]
}

export interface StartFailure {
  readonly code: number | null
  readonly ms: number
  readonly said: string
}

type Environment = Readonly<Record<string, string>>

const command = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))

function spawnServer(databaseUrl: string, environment: Environment = {}): ChildProcess {
  return spawn(process.execPath, [command, 'start', '--json', '--port', '0', '--seed', 'demo'], {
    env: {
      PATH: process.env['PATH'],
      NODE_NO_WARNINGS: '1',
      SERVICE_DATABASE_URL: databaseUrl,
      SERVICE_ENCRYPTION_KEY: 'a key that is only used in this proof, of enough characters',
      SERVICE_ADMIN_TOKEN: 'an-admin-token-of-this-proof',
      SERVICE_EGRESS_ALLOW: '127.0.0.1',
      SERVICE_RATE_LIMIT: 'off',
      SERVICE_LOG: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('close', resolve))

interface StartOptions {
  /** What the first server said of its workspace: one whose database is seeded already says nothing of it. */
  readonly seeded?: Pick<RunningServer, 'token' | 'workspace' | 'adminToken'> | undefined
  readonly environment?: Environment
}

export async function startServer(
  databaseUrl: string,
  { seeded, environment }: StartOptions = {},
): Promise<RunningServer> {
  const child = spawnServer(databaseUrl, environment)
  const errors: string[] = []
  if (child.stdout === null || child.stderr === null) throw new Error('The process has no output.')
  createInterface(child.stderr).on('line', (line) => errors.push(line))
  const lines = createInterface(child.stdout)
  const first = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    ended(child).then((code) => {
      throw new Error(`The server ended with ${code}: ${errors.join('\n')}`)
    }),
  ])
  const { base_url, token, workspace, admin_token } = JSON.parse(first)
  let isAsked = false
  let exits = 0
  child.once('exit', () => {
    if (!isAsked) exits += 1
  })
  return {
    url: new URL(base_url).origin,
    token: seeded?.token ?? token,
    workspace: seeded?.workspace ?? workspace.id ?? workspace,
    adminToken: seeded?.adminToken ?? admin_token,
    errors,
    exits: () => exits,
    async terminate() {
      isAsked = true
      const startedAt = performance.now()
      const over = ended(child)
      child.kill('SIGTERM')
      return { code: await over, ms: performance.now() - startedAt }
    },
  }
}

/** Has every `ticket.created` sent to the receiver. */
export async function subscribe(
  { url, workspace, adminToken }: Pick<RunningServer, 'url' | 'workspace' | 'adminToken'>,
  receiverUrl: string,
): Promise<void> {
  const response = await fetch(`${url}/admin/v1/workspaces/${workspace}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiverUrl, events: ['ticket.created'] }),
  })
  if (response.status !== 201) throw new Error(`The subscription was refused: ${await response.text()}`)
}

/** A start that is expected to fail. */
export async function failToStart(databaseUrl: string): Promise<StartFailure> {
  const startedAt = performance.now()
  const child = spawnServer(databaseUrl)
  let said = ''
  child.stderr?.on('data', (text) => {
    said += text
  })
  return { code: await ended(child), ms: performance.now() - startedAt, said: said.trim() }
}

const answer204 = (response: ServerResponse) => void response.writeHead(204).end()

export interface Receiver {
  readonly url: string
  /** How often a delivery arrived, by the title of its ticket. */
  readonly arrivals: ReadonlyMap<string, number>
  close(): void
}

export async function startReceiver(answer = answer204): Promise<Receiver> {
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/`, arrivals, close }
}
