import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { createTestServer, type TestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { dump } from './dump.ts'
import { mixedRequests } from './mixed-requests.ts'

const open: TestServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function start(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await createTestServer({ seed: 'demo', clock: '2026-03-01T09:00:00Z', ...options })
  open.push(server)
  return server
}

it('returns identical bytes for 200 mixed requests, within and across processes', async () => {
  const run = async () => {
    const script = new URL('determinism-child.mjs', import.meta.url).pathname
    return (await promisify(execFile)(process.execPath, [script], { maxBuffer: 64 * 1024 * 1024 })).stdout
  }
  const [first, second] = await Promise.all([run(), run()])
  expect(second).toBe(first)
  const here = await mixedRequests(await start(), 200)
  expect(JSON.parse(first)).toEqual(here)
  expect(new Set(here.map(({ status }) => status))).toEqual(new Set([200, 201, 401, 403, 404, 409, 422]))
})

it('retries failed deliveries at the same instants, regardless of the order of responses', async () => {
  const attempts = async (slow: string) => {
    const server = await start({
      // No host has an address, and the lookups take different times.
      lookup: async (host, answer) => {
        for (let turn = 0; host.startsWith(slow) && turn < 50; turn += 1) await new Promise(setImmediate)
        answer(new Error('not found'), [])
      },
    })
    for (const name of ['a', 'b', 'c']) await server.create.subscription({ url: `https://${name}.test/in` })
    await server.createMany.ticket(5)
    await server.clock.advance('3h')
    const { tables } = await dump(server)
    return [tables['deliveries'], (await server.create.token()).token]
  }
  expect(await attempts('a')).toEqual(await attempts('c'))
})

it('draws other ids with another seed', async () => {
  const tokens = await Promise.all([1, 2, 'system'].map(async (random) => (await start({ random })).seeded.token))
  expect(new Set(tokens).size).toBe(3)
})
