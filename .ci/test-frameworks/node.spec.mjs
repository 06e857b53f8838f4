import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@service/client'
import { startForTests } from '@service/server/testing'

test('lists the tickets', async (t) => {
  const service = await startForTests(t, { seed: 'demo' })
  assert.ok((await createClient(service).tickets.list()).length > 0)
})

test('starts empty for each test', async (t) => {
  const service = await startForTests(t)
  assert.deepEqual(await createClient(service).tickets.list(), [])
})
