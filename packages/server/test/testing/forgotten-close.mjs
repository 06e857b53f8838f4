import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestServer } from '@service/server/testing'

// Listens and never closes. Run by transports-process.test.ts.

test('responds over a port', async () => {
  const server = await createTestServer({ seed: 'demo' })
  const { url } = await server.listen()
  const answer = await fetch(`${url}/livez`)
  assert.equal(answer.status, 200)
})
