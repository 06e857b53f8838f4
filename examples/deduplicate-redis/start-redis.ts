import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createClient } from '@redis/client'
import { startFakeRedis } from './fake-redis.ts'

/** A running Redis server. */
export interface RunningRedis {
  readonly url: string
  stop(): Promise<void>
}

/** Starts `redis-server` if it is installed, or else the fake server. */
export const startRedis = async (): Promise<RunningRedis> => (await startProgram()) ?? startFakeRedis()

async function startProgram(): Promise<RunningRedis | undefined> {
  const port = await freePort()
  const child = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', ''], { stdio: 'ignore' })
  const isInstalled = await once(child, 'spawn').then(
    () => true,
    () => false,
  )
  if (!isInstalled) return undefined
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Connects like an application. Retries until the server is up. The fake server supports only RESP 2. */
export async function connect(url: string) {
  const redis = createClient({ url, RESP: 2, socket: { reconnectStrategy: 50 } })
  redis.on('error', () => undefined) // the client reconnects automatically
  await redis.connect()
  return redis
}
