import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { end, launch, type Role } from './pinned.ts'

/** A server in a process of its own. */
export interface ServerProcess extends AsyncDisposable {
  /** Where the API stands, ending in /api/v1. */
  readonly baseUrl: string
  readonly pid: number
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

const cli = path('../../packages/server/dist/cli.js')

/** Nobody is refused, yet every request is counted, in ours as in the floors. */
const rateLimit = '1000000000'

/** The built command line, as people run it; only the log line per request is off, as the floors write none. */
export function startOurs(data: string, env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  return start([cli, 'start', '--json', '--port', '0', '--data', data], {
    SERVICE_RATE_LIMIT: rateLimit,
    SERVICE_LOG: 'off',
    ...env,
  })
}

/** The same, sending to receivers on this machine. */
export const startSender = (data: string): Promise<ServerProcess> =>
  startOurs(data, { SERVICE_EGRESS_ALLOW: '127.0.0.1' })

/** One of several processes on a PostgreSQL, on whichever core is free. */
export const startWorker = (databaseUrl: string, encryptionKey: string, role: Role = 'any'): Promise<ServerProcess> =>
  start(
    [cli, 'start', '--json', '--port', '0'],
    {
      SERVICE_LOG: 'off',
      SERVICE_RATE_LIMIT: rateLimit,
      SERVICE_LOAD_SHEDDING: 'false',
      SERVICE_DATABASE_URL: databaseUrl,
      SERVICE_ENCRYPTION_KEY: encryptionKey,
      SERVICE_EGRESS_ALLOW: '127.0.0.1',
    },
    role,
  )

/** `createServer().listen()` in a program of one's own. */
export const startEmbedded = (data: string): Promise<ServerProcess> => start([path('./embedded.ts'), data, rateLimit])

/** A floor of `floors/`, with its own arguments. */
export const startFloor = (
  floor: 'list-server' | 'create-server' | 'bytes-server' | 'sender',
  ...args: readonly string[]
): Promise<ServerProcess> => start([path(`../floors/${floor}.ts`), ...args])

/** A program that says when it is ready as the servers here do. */
export const startProgram = (file: string, ...args: readonly string[]): Promise<ServerProcess> => start([file, ...args])

async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  role: Role = 'server',
): Promise<ServerProcess> {
  const child = launch({ role, args, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const died = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code} before it was ready.`)))
  })
  const baseUrl = await Promise.race([readReady(child.stdout), died])
  died.catch(() => undefined) // it may end now
  return { baseUrl, pid: child.pid ?? 0, [Symbol.asyncDispose]: () => end(child) }
}

/** Every server here says that it is ready in the first line of its output, as ours does with `--json`. */
async function readReady(stdout: Readable | null): Promise<string> {
  if (stdout === null) throw new TypeError('The server has no output to read.')
  for await (const line of createInterface(stdout)) {
    stdout.resume()
    return (JSON.parse(line) as { base_url: string }).base_url // a line of our own
  }
  throw new Error('The server closed its output before it was ready.')
}
