import assert from 'node:assert/strict'
import { mswHandlers } from '@service/server/msw'
import { createTestServer } from '@service/server/testing'
import { setupServer } from 'msw/node'

const server = await createTestServer()
const origin = 'https://api.example.com'
const msw = setupServer(...mswHandlers(server, { origin }))
msw.listen()
assert.equal((await fetch(`${origin}/livez`)).status, 200)
const codes = { reset: 'ECONNRESET', refused: 'ECONNREFUSED', dns: 'ENOTFOUND' }
for (const [connection, code] of Object.entries(codes)) {
  server.faults.add({ connection, times: 1 })
  const thrown = await fetch(`${origin}/livez`).catch((error) => error)
  assert.ok(thrown instanceof TypeError, connection)
  assert.equal(thrown.cause?.code, code)
}
msw.close()
await server.close()
process.stdout.write('2')
