import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer, type ServerOptions } from '../src/index.ts'

const help = `A hundred writers at once: no ticket number lost or doubled, no request refused because the database is busy.

Usage: node packages/server/proof/writers.ts [--seconds 30] [--writers 100] [--database-url postgres://…]

Without --database-url it writes to SQLite (synchronous=FULL) in a temporary directory.`

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    writers: { type: 'string', default: '100' },
    'database-url': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await prove()

async function prove(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'service-writers-'))
  const databaseUrl = values['database-url']
  const place: ServerOptions = databaseUrl === undefined ? { data: directory } : { databaseUrl }
  await using server = await createServer({ ...place, rateLimit: 'off' })
  const { id: workspace_id } = await server.admin.workspaces.create({ name: 'Writers' })
  const { id: user_id } = await server.admin.members.create(
    { workspace: workspace_id },
    { name: 'Ada', email: `ada@${Date.now()}.example` },
  )
  const { token } = await server.admin.tokens.create(
    { workspace: workspace_id },
    { user_id, scopes: ['tickets:write'] },
  )
  const numbers: string[] = []
  const refusals: string[] = []
  const until = performance.now() + Number(values.seconds) * 1000
  const write = async (writer: number) => {
    while (performance.now() < until) {
      const response = await server.fetch(`http://platform.example/api/v1/workspaces/${workspace_id}/tickets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `Ticket of writer ${writer}`, tags: ['proof'] }),
      })
      const body = await response.json()
      if (response.status === 201) numbers.push(body.data.ticket_number)
      else refusals.push(`${response.status} ${body.message}`)
    }
  }
  await Promise.all(Array.from({ length: Number(values.writers) }, (_, writer) => write(writer)))
  await rm(directory, { recursive: true, force: true })
  return report(numbers, refusals)
}

/** Numbers count from one without gaps: as many different ones as were answered, and none above. */
function report(numbers: readonly string[], refusals: readonly string[]): number {
  const different = new Set(numbers)
  const highest = numbers.reduce((most, number) => Math.max(most, Number(number.slice('TKT-'.length))), 0)
  const isProved = refusals.length === 0 && different.size === numbers.length && highest === numbers.length
  process.stdout.write(
    `${numbers.length} tickets, ${different.size} different numbers, the highest ${highest}, ${refusals.length} refusals: ${isProved ? 'proved' : 'NOT proved'}\n`,
  )
  for (const refusal of new Set(refusals)) process.stdout.write(`  ${refusal}\n`)
  return isProved ? 0 : 1
}
