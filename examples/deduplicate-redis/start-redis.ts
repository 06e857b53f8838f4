import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createClient } from '@redis/client'
import { startStandIn } from './redis-stand-in.ts'

/** Where a Redis listens that this test may use. */
export interface RunningRedis {
  readonly url: string
  stop(): Promise<void>
}

/** A `redis-server` where one is installed, else the stand-in. */
export const startRedis = async (): Promise<RunningRedis> => (await startProgram()) ?? startStandIn()

async function startProgram(): Promise<RunningRedis | undefined> {
  const port = await freePort()
  const child = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', ''], { stdio: 'ignore' })
  const isThere = await once(child, 'spawn').then(
    () => true,
    () => false,
  )
  if (!isThere) return undefined
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
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

/** A connection as an application has it; it waits until the server is up. The stand-in speaks no newer protocol. */
export async function connect(url: string) {
  const redis = createClient({ url, RESP: 2, socket: { reconnectStrategy: 50 } })
  redis.on('error', () => undefined) // it connects again by itself
  await redis.connect()
  return redis
}
