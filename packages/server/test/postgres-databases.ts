import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { systemClock } from '../src/core/system-clock.ts'
import { distribute } from '../src/store/distribute.ts'
import { migrate } from '../src/store/migrate.ts'
import { openPostgres } from '../src/store/postgres.ts'
import { instanceTables } from '../src/store/workspace-keys.ts'
import { takeSentStatements } from './sent-statements.ts'
import { type PlanServer, requireBoundedPlans } from './statement-plans.ts'
import { requireWorkspaceInStatements } from './workspace-statements.ts'

export const templateName = 'service_template'

/** Migrates a database once. Tests copy it, which takes a tenth of the time. */
export async function openTemplate(url: string, name: string): Promise<void> {
  await run(url, `drop database if exists ${name}`)
  await run(url, `create database ${name}`)
  const store = await openPostgres({ url: urlOf(url, name), poolSize: 1, namedStatements: false })
  await migrate(store, systemClock())
  await store.close()
  if (await hasCitus(url)) await distributeTemplate(url, name)
}

/** Whether the server has Citus: then every test runs on distributed tables. */
export async function hasCitus(url: string): Promise<boolean> {
  const [row] = await run(url, 'show shared_preload_libraries')
  return String(row?.['shared_preload_libraries']).includes('citus')
}

async function distributeTemplate(url: string, name: string): Promise<void> {
  await run(urlOf(url, name), 'create extension citus')
  await distribute(urlOf(url, name), () => undefined)
  // A background process of Citus would use the template, and only an unused one can be copied.
  await run(url, `alter database ${name} with allow_connections false`)
  await run(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
}

/** A new migrated database for one test. */
export async function createDatabase(url: string): Promise<OwnDatabase> {
  const { drop, ...database } = await copyTemplate(url)
  return {
    ...database,
    async drop() {
      await drop()
      await checkStatements(url)
    },
  }
}

interface OwnDatabase {
  readonly url: string
  drop(): Promise<void>
}

const copyTemplate = (url: string) => copyDatabase(urlOf(url, templateName))

/** A copy of a database that nothing is connected to. */
export async function copyDatabase(url: string): Promise<OwnDatabase> {
  const server = urlOf(url, 'postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(server, `create database ${name} template ${new URL(url).pathname.slice(1)} strategy file_copy`)
  return { url: urlOf(server, name), drop: () => dropDatabase(server, name) }
}

/** Throws if a statement sent to either kind of database since the last call names no workspace, or reads too much. */
export async function checkStatements(url: string): Promise<void> {
  workspaceTables ??= await listWorkspaceTables(url)
  const sent = takeSentStatements()
  await requireWorkspaceInStatements(sent, workspaceTables)
  await requireBoundedPlans(sent, planServer(url))
}

/** The plans of distributed tables are others. */
const planServer = (url: string): PlanServer => ({
  async create(name) {
    if (await hasCitus(url)) return undefined
    await administer(url, `drop database if exists ${name}`)
    await administer(url, `create database ${name} template ${templateName} strategy file_copy`)
    return urlOf(url, name)
  },
})

let workspaceTables: ReadonlySet<string> | undefined

async function listWorkspaceTables(url: string): Promise<ReadonlySet<string>> {
  const database = await copyTemplate(url)
  const rows = await run(
    database.url,
    "select table_name from information_schema.columns where column_name = 'workspace_id'",
  )
  await database.drop()
  return new Set(rows.map((row) => String(row['table_name'])).filter((name) => !(name in instanceTables)))
}

/** A new database without tables. */
export async function createEmptyDatabase(url: string): Promise<OwnDatabase> {
  const name = `empty_${randomBytes(8).toString('hex')}`
  await administer(url, `create database ${name}`)
  return { url: urlOf(url, name), drop: () => dropDatabase(url, name) }
}

/** A background process of Citus does not end while it connects to the database, so connections are refused first. */
async function dropDatabase(url: string, name: string): Promise<void> {
  const drop = () => administer(url, `drop database if exists ${name} with (force)`)
  await drop().catch(async () => {
    await administer(url, `alter database ${name} with allow_connections false`)
    await drop().catch(drop)
  })
}

function urlOf(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

/** Opening a connection takes PostgreSQL longer than creating a database, so each process keeps one for each server. */
const connections = new Map<string, Promise<pg.Client>>()

async function administer(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const connection = connections.get(url) ?? connect(url)
  connections.set(url, connection)
  return (await (await connection).query(statement)).rows
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  const forget = () => void connections.delete(url)
  client.on('error', forget).on('end', forget)
  await client.connect().catch((fault: unknown) => {
    forget()
    throw fault
  })
  return client
}

async function run(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
