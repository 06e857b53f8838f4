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

const command = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))

function spawnServer(databaseUrl: string): ChildProcess {
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
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('close', resolve))

/** A server whose database is seeded already says nothing of its workspace: `seeded` is what the first one said. */
export async function startServer(
  databaseUrl: string,
  seeded?: Pick<RunningServer, 'token' | 'workspace' | 'adminToken'>,
): Promise<RunningServer> {
  const child = spawnServer(databaseUrl)
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

/** Counts the deliveries that arrive, by the titles of their tickets. */
export async function startReceiver(answer = answer204): Promise<{ url: string; titles: Set<string>; close(): void }> {
  const titles = new Set<string>()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on('end', () => {
      titles.add(JSON.parse(text).ticket?.title ?? '')
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/`, titles, close }
}
