import { createClient } from '@service/client'
import { expect, test } from 'vitest'
import type { Fault } from '../../src/testing/entries/testing.ts'
import { startServer, transports } from './faulty-server.ts'

const lost: readonly [string, Fault][] = [
  ['reset', { connection: 'reset', when: 'after' }],
  ['closed', { connection: 'close', when: 'after' }],
  ['cut off', { connection: 'reset-mid-body' }],
  ['truncated', { damage: 'truncated' }],
  ['replaced by 503', { respond: 503, when: 'after' }],
]

test.each(transports.flatMap((transport) => lost.map(([name, fault]) => [name, transport, fault] as const)))(
  'a retry with Idempotency-Key after a lost response (%s, %s) creates one row',
  async (_, transport, fault) => {
    const { server, workspace, token, titles } = await startServer()
    const isInProcess = transport === 'in process'
    const base = isInProcess ? server.origin : (await server.listen()).url
    const client = createClient({
      baseUrl: `${base}/api/v1`,
      token,
      workspace: workspace.id,
      allowInsecure: true,
      sleep: async () => undefined,
      ...(isInProcess ? { fetch: server.fetch } : {}),
    })
    server.faults.add({ ...fault, match: { operation: 'tickets.create' }, times: 1 })
    const ticket = await client.tickets.create({ title: 'Once' }, { idempotencyKey: 'k-1' })
    expect(ticket.title).toBe('Once')
    expect(await titles()).toEqual(['Once'])
    expect(server.journal.find({ operation: 'tickets.create' })).toHaveLength(2)
  },
)

test('a retry without a key creates two rows', async () => {
  const { server, create, titles } = await startServer()
  server.faults.add({ connection: 'reset', when: 'after', times: 1 })
  await expect(create()).rejects.toThrow('fetch failed')
  await create()
  expect(await titles()).toEqual(['A', 'A'])
})

test('the client retries a refused connection without a key', async () => {
  const { server, workspace, token, titles } = await startServer()
  const client = createClient({
    baseUrl: `${server.origin}/api/v1`,
    token,
    workspace: workspace.id,
    allowInsecure: true,
    sleep: async () => undefined,
    fetch: server.fetch,
  })
  server.faults.add({ connection: 'refused', times: 1 })
  await client.tickets.create({ title: 'Once' })
  expect(await titles()).toEqual(['Once'])
})
