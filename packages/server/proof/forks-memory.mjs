import { createTestServer } from '@service/server/testing'

// Prints the memory after 500 and 5,000 forks that were opened, used, and closed over HTTP. Run with --expose-gc by
// forks.test.ts.

const adminToken = 'admin-token-of-the-proof'
const server = await createTestServer({ seed: 'demo', clock: '2026-01-01T00:00:00Z', testControls: true, adminToken })
const { url } = await server.listen()
const { token, workspace } = server.seeded

async function send(method, address, { bearer = adminToken, body } = {}) {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const response = await fetch(address, { method, headers, body: body && JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${address} was answered with ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text).data
}

async function useFork() {
  const fork = await send('POST', `${url}/admin/v1/test/forks`)
  const tickets = `${fork.base_url}/workspaces/${workspace}/tickets`
  await send('POST', tickets, { bearer: token, body: { title: 'A ticket' } })
  await send('POST', `${fork.test_url}/reset`)
  await send('DELETE', `${url}/admin/v1/test/forks/${fork.id}`)
}

async function useForks(count) {
  for (let closed = 0; closed < count; closed += 1) await useFork()
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

await useForks(500)
const after500 = await memory()
const startedMs = process.cpuUsage()
await useForks(4500)
const { user, system } = process.cpuUsage(startedMs)
const after5000 = await memory()
await server.close()
process.stdout.write(JSON.stringify({ after500, after5000, cpuMsPerFork: (user + system) / 4500 / 1000 }))
