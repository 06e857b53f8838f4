import { PerformanceObserver } from 'node:perf_hooks'
import { createServer } from '@service/server'

// Prints the heap bytes that one request allocates, as JSON by request name. hot-paths.test.ts runs it with a young
// generation so large that nothing is collected, so the used heap grows exactly by what is allocated.

const collections = new PerformanceObserver(() => undefined)
collections.observe({ entryTypes: ['gc'] })
const requests = 300
/** Background jobs add up to a third to most rounds. With three, the smallest sometimes had a job, too. */
const roundCount = 8

const server = await createServer({ rateLimit: 'off' })
const { id: workspace } = await server.admin.workspaces.create({ name: 'Acme' })
const { id: user_id } = await server.admin.members.create({ workspace }, { name: 'Ada', email: 'ada@acme.example' })
const { token } = await server.admin.tokens.create(
  { workspace },
  { user_id, scopes: ['tickets:read', 'tickets:write'] },
)
const url = `http://platform.example/api/v1/workspaces/${workspace}/tickets`
const authorization = `Bearer ${token}`

const send: Readonly<Record<string, () => Promise<Response>>> = {
  create: () =>
    server.fetch(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'The export has no tax', priority: 'high', tags: ['tax', 'export'] }),
    }),
  list: () => server.fetch(url, { headers: { authorization } }),
  refusal: () => server.fetch(url),
}

const used = () => process.memoryUsage().heapUsed

const bytes: Record<string, number> = {}
for (const [name, request] of Object.entries(send)) {
  const several = async (count: number) => {
    for (let sent = 0; sent < count; sent += 1) await (await request()).arrayBuffer()
  }
  await several(requests)
  const rounds: number[] = []
  while (rounds.length < roundCount) {
    globalThis.gc?.()
    collections.takeRecords()
    const before = used()
    await several(requests)
    rounds.push(Math.round((used() - before) / requests))
    if (collections.takeRecords().length > 0) throw new Error(`The heap was collected during "${name}".`)
  }
  bytes[name] = Math.min(...rounds) // jobs in the background only add
}
await server.close()
process.stdout.write(JSON.stringify(bytes))
