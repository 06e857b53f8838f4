import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Clock } from '../../core/clock.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { OpenError } from '../open-error.ts'
import { openPostgres } from '../postgres.ts'
import { connectAlone } from '../postgres-client.ts'
import { type BackupManifest, verifyBackup } from './backup-file.ts'
import { readDump, type TableHead } from './postgres-backup.ts'
import { quoted } from './postgres-tables.ts'

interface PostgresRestore {
  readonly path: string
  readonly manifest: BackupManifest
  readonly clock: Clock
}

/** Restores into an empty database, in one transaction: the old one stays as it is, and nothing runs on a new one yet. */
export async function restorePostgres(databaseUrl: string, { path, manifest, clock }: PostgresRestore): Promise<void> {
  await verifyBackup(path)
  const client = await connectAlone({ connectionString: databaseUrl, application_name: 'service-server restore' })
  try {
    await requireEmpty(client)
    await createTables(databaseUrl, manifest, clock)
    await client.query('begin')
    for await (const table of readDump(path)) await fill(client, table)
    await requireCounts(client, manifest)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

async function requireEmpty(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select 1 from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' limit 1`,
  )
  if (rows.length === 0) return
  throw new OpenError(
    'The database is not empty. Restore into a new one (createdb), start the platform on that, and keep the old one until you are sure.',
  )
}

async function createTables(url: string, { schema }: BackupManifest, clock: Clock): Promise<void> {
  const store = await openPostgres({ url, poolSize: 2, namedStatements: false })
  try {
    const names = new Set(schema)
    await migrate(
      store,
      clock,
      migrations.filter(({ name }) => names.has(name)),
    )
  } finally {
    await store.close()
  }
}

async function fill(client: Client, { table, columns, next_id, rows }: TableHead & { rows: AsyncIterable<Buffer> }) {
  // A migration may have put a row there, and the audit log's triggers would keep it.
  await client.query(`alter table "${table}" disable trigger user`)
  await client.query(`delete from "${table}"`)
  await pipeline(Readable.from(rows), client.query(copyFrom(`copy "${table}" (${quoted(columns)}) from stdin`)))
  await client.query(`alter table "${table}" enable trigger user`)
  if (next_id !== null)
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2, false)`, [`"${table}"`, next_id])
}

async function requireCounts(client: Client, { rows }: BackupManifest): Promise<void> {
  for (const [table, expected] of Object.entries(rows)) {
    const counted = await client.query<{ count: string }>(`select count(*) from "${table}"`)
    if (Number(counted.rows[0]?.count) !== expected)
      throw new OpenError(`The backup does not have the ${expected} rows of ${table} that its manifest names.`)
  }
}
