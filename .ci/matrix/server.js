/** Calls a server with a file database through the client, then uses the test double. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createClient } from '@service/client'
import { createServer } from '@service/server'
import { createTestServer } from '@service/server/testing'

const data = mkdtempSync(join(tmpdir(), 'service-matrix-data-'))
const server = await createServer({ data })
const { id: workspace } = await server.admin.workspaces.create({ name: 'Acme' })
const { id: user_id } = await server.admin.members.create({ workspace }, { name: 'Ada', email: 'ada@acme.example' })
const { token } = await server.admin.tokens.create(
  { workspace },
  { user_id, scopes: ['tickets:read', 'tickets:write'] },
)
const { url } = await server.listen({ port: 0 })
const client = createClient({ baseUrl: `${url}/api/v1`, token, workspace })
const { ticket_number } = await client.tickets.create({ title: 'Toner is here 🎉' })
const titles = (await client.tickets.list()).map(({ title }) => title)
await server.close()
rmSync(data, { recursive: true, force: true })

const double = await createTestServer({ seed: 'demo', clock: '2026-01-01T00:00:00Z' })
await double.clock.advance('1h')
const seeded = (await double.admin.tickets.list({ workspace: 1 })).data.length > 0
await double.close()
process.stdout.write(JSON.stringify({ ticket_number, titles, seeded }))
process.exit(0)
