import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../core/clock.ts'
import { columns } from './columns.ts'
import { migrations as shipped } from './migrations/index.ts'
import type { Migration } from './migrations/migration.ts'
import type { RunStatement, Store } from './store.ts'

/** Names of the applied migrations and their checksums. */
type Applied = ReadonlyMap<string, string>

/** Any fixed number: PostgreSQL's advisory lock that lets one process migrate while the others wait. */
const migrationLock = 7_236_411

/** Brings the database to the newest schema. Each migration is one transaction; a failed one leaves nothing behind. */
export async function migrate(store: Store, clock: Clock, migrations: readonly Migration[] = shipped): Promise<void> {
  const applied = await readApplied(store)
  requireKnown(applied, migrations)
  requireUnchanged(store, applied, migrations)
  for (const migration of migrations.filter(({ name }) => !applied.has(name))) {
    await store.migrateWith((run) => applyOne(store, run, { migration, appliedAt: clock.now() }))
  }
}

/** Which migrations a database has, and which it lacks; changes nothing. */
export async function schemaStatus({ db }: Store, migrations: readonly Migration[] = shipped): Promise<SchemaStatus> {
  // A database that was never migrated has no such table.
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`
    .execute(db)
    .catch(() => ({ rows: [] }))
  const applied = rows.map(({ name }) => name)
  return { applied, pending: migrations.map(({ name }) => name).filter((name) => !applied.includes(name)) }
}

/** Names of migrations, in their order. */
export interface SchemaStatus {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
}

async function readApplied(store: Store): Promise<Applied> {
  let applied: Applied = new Map()
  await store.migrateWith(async (run) => {
    await lock(store, run)
    await run(`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at ${columns[store.dialect].integer} not null
    ) ${columns[store.dialect].endOfTable}`)
    applied = await listApplied(run)
  })
  return applied
}

async function listApplied(run: RunStatement): Promise<Applied> {
  const rows = await run('select name, checksum from migrations order by name')
  return new Map(rows.map((row) => [String(row['name']), String(row['checksum'])]))
}

async function applyOne(
  store: Store,
  run: RunStatement,
  { migration, appliedAt }: { migration: Migration; appliedAt: number },
): Promise<void> {
  await lock(store, run)
  // Another process may have applied it while this one waited for the lock.
  if ((await listApplied(run)).has(migration.name)) return
  for (const statement of migration.statements(columns[store.dialect])) await run(statement)
  const values = `values ('${migration.name}', '${checksum(store, migration)}', ${appliedAt})`
  await run(`insert into migrations (name, checksum, applied_at) ${values}`)
}

async function lock(store: Store, run: RunStatement): Promise<void> {
  if (store.dialect === 'postgres') await run(`select pg_advisory_xact_lock(${migrationLock})`)
}

function requireKnown(applied: Applied, migrations: readonly Migration[]): void {
  const names = new Set(migrations.map((migration) => migration.name))
  const unknown = [...applied.keys()].filter((name) => !names.has(name))
  if (unknown.length === 0) return
  throw new Error(
    `The database has a newer schema (${unknown.join(', ')}). Start the version that wrote it, or a newer one.`,
  )
}

function requireUnchanged(store: Store, applied: Applied, migrations: readonly Migration[]): void {
  for (const migration of migrations) {
    const before = applied.get(migration.name)
    if (before === undefined || before === checksum(store, migration)) continue
    throw new Error(
      `The migration ${migration.name} was changed after it had been applied. Restore its text and add a new one.`,
    )
  }
}

function checksum(store: Store, migration: Migration): string {
  return createHash('sha256').update(migration.statements(columns[store.dialect]).join(';\n')).digest('hex')
}
