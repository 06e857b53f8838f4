import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from '@service/server'
import Sqlite from 'better-sqlite3'

// Prints how many statements one request runs and how many bytes it adds to the write-ahead log, as JSON by request
// name. hot-paths.test.ts runs it. Requests run one at a time, so that no two share a commit.

const requests = 20

let statements = 0
const methods = ['run', 'get', 'all'] as const
const prepare = Sqlite.prototype.prepare
Sqlite.prototype.prepare = function prepareCounted(this: Sqlite.Database, sql: string) {
  const statement = prepare.call(this, sql)
  for (const name of methods) {
    const method = statement[name] as (...parameters: unknown[]) => unknown // its parameters are not looked at
    const counted = (...parameters: unknown[]) => {
      statements += 1
      return Reflect.apply(method, statement, parameters)
    }
    Object.assign(statement, { [name]: counted })
  }
  return statement
} as typeof prepare

const data = mkdtempSync(join(tmpdir(), 'work-'))
const server = await createServer({ data, rateLimit: 'off' })
const { id: workspace } = await server.admin.workspaces.create({ name: 'Acme' })
const { id: user_id } = await server.admin.members.create({ workspace }, { name: 'Ada', email: 'ada@acme.example' })
const { token } = await server.admin.tokens.create(
  { workspace },
  { user_id, scopes: ['tickets:read', 'tickets:write'] },
)
const url = `http://platform.example/api/v1/workspaces/${workspace}/tickets`
const authorization = `Bearer ${token}`
const create = () =>
  server.fetch(url, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      title: 'The export has no tax',
      priority: 'high',
      tags: ['tax', 'export'],
      assigned_to: user_id,
    }),
  })
const list = () => server.fetch(url, { headers: { authorization } })

const logBytes = () => statSync(join(data, 'service.db-wal')).size

async function workOf(request: () => Promise<Response>, before: () => Promise<unknown> = async () => undefined) {
  const ran: number[] = []
  const written: number[] = []
  for (let sent = 0; sent < requests; sent += 1) {
    await before()
    const [statementsBefore, bytesBefore] = [statements, logBytes()]
    await (await request()).arrayBuffer()
    ran.push(statements - statementsBefore)
    written.push(logBytes() - bytesBefore)
  }
  return { statements: medianOf(ran), kilobytes: medianOf(written) / 1000 }
}

/** The median, because the worker also polls the database. */
const medianOf = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length / 2] ?? 0

// Work done once per process, such as reading the rules of a workspace or recording a token's use, is not counted.
for (let sent = 0; sent < requests; sent += 1) await (await create()).arrayBuffer()
const work = {
  create: await workOf(create),
  'list that has changed': await workOf(list, create),
  'list that has not': await workOf(list),
}
await server.close()
rmSync(data, { recursive: true })
process.stdout.write(JSON.stringify(work))
