import { createTestServer } from '@service/server/testing'

// Prints the heap growth after many consecutive calls. Run with --expose-gc by transports-process.test.ts.

const server = await createTestServer({ seed: 'demo', clock: '2026-01-01T00:00:00Z', rateLimit: 'off' })
const headers = { authorization: `Bearer ${server.seeded.token}` }
const call = async () => (await server.fetch('/api/v1/workspaces/1/tickets', { headers })).text()
const calls = async (count) => {
  for (let done = 0; done < count; done += 1) await call()
}
const heap = () => {
  globalThis.gc()
  return process.memoryUsage().heapUsed
}

await calls(2000) // fills the journal
const before = heap()
await calls(10_000)
process.stdout.write(JSON.stringify({ grownBytes: heap() - before }))
await server.close()
