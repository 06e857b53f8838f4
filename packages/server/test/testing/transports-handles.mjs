import { readdir } from 'node:fs/promises'
import { createTestServer } from '@service/server/testing'

// Prints the open handles before and after using a server over every transport. Run by transports-process.test.ts.

const origin = 'https://api.example.com'
const before = process.getActiveResourcesInfo().toSorted()
const server = await createTestServer({ seed: 'demo', clock: '2026-01-01T00:00:00Z' })
const { url } = await server.listen()
server.intercept(origin)
const answers = [await server.fetch('/livez'), await fetch(`${origin}/livez`), await fetch(`${url}/livez`)]
for (const answer of answers) await answer.text()
const fork = await server.fork()
await fork.clock.advance('1h')
await fork.close()
await server.reset()
await server.close()
// The connection that `fetch` keeps alive notices the close in a later turn.
await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
const after = process.getActiveResourcesInfo().toSorted()
process.stdout.write(
  JSON.stringify({ statuses: answers.map(({ status }) => status), before, after, files: await readdir('.') }),
)
