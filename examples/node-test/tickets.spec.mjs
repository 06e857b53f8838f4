import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@service/client'
import { startForTests } from '@service/server/testing'

const options = { seed: 'demo', clock: '2026-01-01T00:00:00Z' }

test('starts with the seed and stores changes', async (t) => {
  const service = await startForTests(t, options)
  const client = createClient(service)
  const before = await client.tickets.list()
  await client.tickets.create({ title: 'Checkout is down' })
  assert.equal((await client.tickets.list()).length, before.length + 1)
})

test('limits requests per minute', async (t) => {
  const { server, baseUrl, token, workspace } = await startForTests(t, { ...options, rateLimit: 1 })
  const list = () =>
    server.fetch(`${baseUrl}/workspaces/${workspace}/tickets`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal((await list()).status, 200)
  assert.equal((await list()).status, 429)
  await server.clock.advance('1m')
  assert.equal((await list()).status, 200)
})
