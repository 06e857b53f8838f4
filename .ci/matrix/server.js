/** Calls a server with a file database through the client, then uses the test double. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createClient } from '@service/client'
import { createServer } from '@service/server'
import { countEffects, createTestServer, faultCases, findDuplicates, modelCommands } from '@service/server/testing'

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

const double = await createTestServer({ seed: 'demo', clock: '2026-01-01T00:00:00Z', journal: { restorable: true } })
await double.clock.advance('1h')
const listTickets = async () => (await double.admin.tickets.list({ workspace: 1 })).data
const before = await listTickets()

const caller = createClient({
  baseUrl: `${double.origin}/api/v1`,
  token: double.seeded.token,
  workspace: 1,
  fetch: double.fetch,
  sleep: async () => undefined,
})
const kinds = ['503', 'truncated JSON', 'reset after the write', 'DNS failure']
for (const fault of faultCases.for({ operations: ['tickets.create'], kinds })) {
  const added = fault.apply(double)
  await caller.tickets.create({ title: fault.name }, { idempotencyKey: true })
  added[Symbol.dispose]()
}
const effects = countEffects(double, 'tickets.create')
const duplicates = await findDuplicates(double, 'tickets', 'title')
const archived = double.journal.toHAR().log.entries.length
const [, first] = double.journal.find({ operation: 'tickets.create' })
await double.restore({ before: first })
const isRestored = JSON.stringify(await listTickets()) === JSON.stringify(before)
for (const toCommand of modelCommands(double)) await toCommand(4).run()
double.faults.schedule([{ at: '10s', for: '30s', respond: 503 }])
await double.clock.advance('10s')
const { status } = await double.fetch('/livez')
await double.close()
const resilience = { effects, duplicates, archived, isRestored, status }
process.stdout.write(JSON.stringify({ ticket_number, titles, seeded: before.length > 0, resilience }))
process.exit(0)
