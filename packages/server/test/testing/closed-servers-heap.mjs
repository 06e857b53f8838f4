import { createTestServer } from '@service/server/testing'

// Prints the memory after 100 and 1,000 closed servers, and what a closed server that the test still holds adds to it.
// Run with --expose-gc by transports-process.test.ts.

async function useServer(bodyBytes) {
  const server = await createTestServer({ seed: 'demo', clock: '2026-01-01T00:00:00Z' })
  server.webhooks.capture()
  const { status } = await server.fetch('/api/v1/workspaces/1/tickets', {
    method: 'POST',
    headers: { authorization: `Bearer ${server.seeded.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'A ticket', filler: 'x'.repeat(bodyBytes) }),
  })
  if (status !== 201) throw new Error(`The ticket was answered with ${status}.`)
  await server.close()
  return server
}

async function useServers(count) {
  for (let closed = 0; closed < count; closed += 1) await useServer(100)
}

/** Buffers are freed by finalizers, which run after a collection. */
async function memory() {
  let used = Number.POSITIVE_INFINITY
  for (;;) {
    globalThis.gc()
    await new Promise((resolve) => setImmediate(resolve))
    const { heapUsed, external } = process.memoryUsage()
    if (heapUsed + external >= used) return used
    used = heapUsed + external
  }
}

await useServers(100)
const after100 = await memory()
await useServers(900)
const after1000 = await memory()
const bodyBytes = 600_000
const held = []
while (held.length < 50) held.push(await useServer(bodyBytes))
const bytesPerHeld = ((await memory()) - after1000) / held.length
process.stdout.write(JSON.stringify({ after100, after1000, bytesPerHeld, bodyBytes }))
