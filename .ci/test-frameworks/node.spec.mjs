import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@service/client'
import { countEffects, faultCases, startForTests } from '@service/server/testing'

test('lists the tickets', async (t) => {
  const service = await startForTests(t, { seed: 'demo' })
  assert.ok((await createClient(service).tickets.list()).length > 0)
  for (const fault of faultCases.for({ operations: ['tickets.create'], kinds: ['429', 'DNS failure'] })) {
    fault.apply(service.server)
    const client = createClient({ ...service, sleep: async () => undefined })
    await client.tickets.create({ title: fault.name }, { idempotencyKey: true })
  }
  assert.equal(countEffects(service.server, 'tickets.create'), 2)
})

test('starts empty for each test', async (t) => {
  const service = await startForTests(t)
  assert.deepEqual(await createClient(service).tickets.list(), [])
})
