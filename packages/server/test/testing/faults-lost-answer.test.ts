import { createClient } from '@service/client'
import { expect, test } from 'vitest'
import type { Fault } from '../../src/testing/entries/testing.ts'
import { doors, startDisturbed } from './disturbed.ts'

const lost: readonly [string, Fault][] = [
  ['reset', { connection: 'reset', when: 'after' }],
  ['closed', { connection: 'close', when: 'after' }],
  ['cut in the middle', { connection: 'reset-mid-body' }],
  ['truncated', { damage: 'truncated' }],
  ['a 503 of a gateway', { respond: 503, when: 'after' }],
]

test.each(doors.flatMap((door) => lost.map(([name, fault]) => [name, door, fault] as const)))(
  'a retry with Idempotency-Key after a lost answer (%s, %s) creates one row',
  async (_, door, fault) => {
    const { server, workspace, token, titles } = await startDisturbed()
    const here = door === 'in process'
    const base = here ? server.origin : (await server.listen()).url
    const client = createClient({
      baseUrl: `${base}/api/v1`,
      token,
      workspace: workspace.id,
      allowInsecure: true,
      sleep: async () => undefined,
      ...(here ? { fetch: (request: Request) => server.fetch(request) } : {}),
    })
    server.faults.add({ ...fault, match: { operation: 'tickets.create' }, times: 1 })
    const ticket = await client.tickets.create({ title: 'Once' }, { idempotencyKey: 'k-1' })
    expect(ticket.title).toBe('Once')
    expect(await titles()).toEqual(['Once'])
    expect(server.journal.find({ operation: 'tickets.create' })).toHaveLength(2)
  },
)

test('the same without a key creates two, which is what the fault is there to show', async () => {
  const { server, create, titles } = await startDisturbed()
  server.faults.add({ connection: 'reset', when: 'after', times: 1 })
  await expect(create()).rejects.toThrow('fetch failed')
  await create()
  expect(await titles()).toEqual(['A', 'A'])
})

test('a request that was refused before a connection came about is sent again without a key', async () => {
  const { server, workspace, token, titles } = await startDisturbed()
  const client = createClient({
    baseUrl: `${server.origin}/api/v1`,
    token,
    workspace: workspace.id,
    allowInsecure: true,
    sleep: async () => undefined,
    fetch: (request) => server.fetch(request),
  })
  server.faults.add({ connection: 'refused', times: 1 })
  await client.tickets.create({ title: 'Once' })
  expect(await titles()).toEqual(['Once'])
})
