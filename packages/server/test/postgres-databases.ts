import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { systemClock } from '../src/core/system-clock.ts'
import { migrate } from '../src/store/migrate.ts'
import { openPostgres } from '../src/store/postgres.ts'
import { instanceTables } from '../src/store/workspace-keys.ts'
import { requireWorkspaceInStatements } from './workspace-statements.ts'

export const templateName = 'service_template'

/** Migrates a database once. Tests copy it, which takes a tenth of the time. */
export async function openTemplate(url: string, name: string): Promise<void> {
  await run(url, `drop database if exists ${name}`)
  await run(url, `create database ${name}`)
  const store = await openPostgres({ url: urlOf(url, name), poolSize: 1, namedStatements: false })
  await migrate(store, systemClock())
  await store.close()
}

/** A new migrated database for one test. */
export async function createDatabase(url: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await run(url, `create database ${name} template ${templateName} strategy file_copy`)
  return {
    url: urlOf(url, name),
    async drop() {
      await run(url, `drop database ${name} with (force)`)
      await checkStatements(url)
    },
  }
}

/** Throws if a statement sent to either kind of database since the last call names no workspace. */
export async function checkStatements(url: string): Promise<void> {
  workspaceTables ??= await listWorkspaceTables(urlOf(url, templateName))
  await requireWorkspaceInStatements(workspaceTables)
}

let workspaceTables: ReadonlySet<string> | undefined

async function listWorkspaceTables(url: string): Promise<ReadonlySet<string>> {
  const rows = await run(url, "select table_name from information_schema.columns where column_name = 'workspace_id'")
  return new Set(rows.map(({ table_name }) => String(table_name)).filter((name) => !(name in instanceTables)))
}

/** A new database without tables. */
export async function createEmptyDatabase(url: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `empty_${randomBytes(8).toString('hex')}`
  await run(url, `create database ${name}`)
  return { url: urlOf(url, name), drop: async () => void (await run(url, `drop database ${name} with (force)`)) }
}

function urlOf(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

async function run(url: string, statement: string): Promise<{ readonly table_name?: string }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
