import assert from 'node:assert/strict'
import { propagation } from '@opentelemetry/api'
import { createClient } from '@service/client'
import { createTestServer, modelCommands } from '@service/server/testing'
import fc from 'fast-check'

const server = await createTestServer({ seed: 'demo', clock: '2026-01-01T00:00:00Z' })

const arbitraries = modelCommands(server).map((toCommand) => fc.nat().map(toCommand))
const property = fc.asyncProperty(fc.commands(arbitraries), async (list) => {
  await server.reset()
  await fc.asyncModelRun(() => ({ model: {}, real: server }), list)
})
await fc.assert(property, { numRuns: 2 })

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
propagation.setGlobalPropagator({
  inject: (_context, carrier, setter) => setter.set(carrier, 'traceparent', traceparent),
  extract: (context) => context,
  fields: () => ['traceparent'],
})
const sent = []
const { token, workspace } = server.seeded
const client = createClient({
  baseUrl: `${server.origin}/api/v1`,
  token,
  workspace,
  fetch: (url, init) => {
    sent.push(init.headers.traceparent)
    return server.fetch(url, init)
  },
})
await client.tickets.list()
assert.deepEqual(sent, [traceparent])
await server.close()
