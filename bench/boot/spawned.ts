import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { end, launch } from '../processes/pinned.ts'
import { rssMegabytes } from '../processes/usage.ts'

export interface BootSample {
  readonly readyMs: number
  readonly rss: number
}

/** Long enough for what start-up left behind to be collected and for timers to have fired. */
const idleMs = 1500

const bareServer = `
import { createServer } from 'node:http'
const server = createServer((request, response) => response.end('{"status":"ok"}'))
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ base_url: 'http://127.0.0.1:' + server.address().port })))
process.once('SIGTERM', () => process.exit(0))`

/** Nothing starts faster than this: Node with one handler. */
export const spawnBare = (): Promise<BootSample> => spawned(['--input-type=module', '--eval', bareServer])

const cli = fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url))

export const spawnOurs = (data: string): Promise<BootSample> =>
  spawned([cli, 'start', '--json', '--port', '0', '--data', data])

/** From `spawn` to the first 200 of /readyz, then the memory of the idle process. */
async function spawned(args: readonly string[]): Promise<BootSample> {
  const startedAt = performance.now()
  const child = launch({ role: 'server', args, stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    if (child.stdout === null) throw new TypeError('The server has no output to read.')
    const [line] = await once(createInterface(child.stdout), 'line')
    const { base_url } = JSON.parse(String(line)) as { base_url: string } // both servers print it first
    const response = await fetch(new URL('/readyz', base_url))
    if (response.status !== 200) throw new Error(`/readyz answered ${response.status}.`)
    await response.text()
    const readyMs = performance.now() - startedAt
    await wait(idleMs)
    return { readyMs, rss: rssMegabytes(child.pid ?? 0) }
  } finally {
    await end(child)
  }
}
