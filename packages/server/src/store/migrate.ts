import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock, Micros } from '../core/clock.ts'
import { buildConcurrently } from './build-indexes.ts'
import { columns, type Migration } from './columns.ts'
import { distributing } from './migrate-distributed.ts'
import { schema } from './migrations/0001-schema.ts'
import { inboundMapping } from './migrations/0002-inbound-mapping.ts'
import { ticketTriage } from './migrations/0003-ticket-triage.ts'
import { webhookStates } from './migrations/0004-webhook-states.ts'
import { savedViews } from './migrations/0005-saved-views.ts'
import { ticketMessages } from './migrations/0006-ticket-messages.ts'
import { errorOrder } from './migrations/0007-error-order.ts'
import { activeAssignees } from './migrations/0008-active-assignees.ts'
import { administration } from './migrations/0009-administration.ts'
import { hotQueues } from './migrations/0010-hot-queues.ts'
import { traceparent } from './migrations/0011-traceparent.ts'
import { dueTickets } from './migrations/0012-due-tickets.ts'
import { listOrders } from './migrations/0013-list-orders.ts'
import { rollingUpgrades } from './migrations/0014-rolling-upgrades.ts'
import { linkCreators } from './migrations/0015-link-creators.ts'
import { enquiryScope } from './migrations/0016-enquiry-scope.ts'
import { keptBodies } from './migrations/0017-kept-bodies.ts'
import { deliveryOrder } from './migrations/0018-delivery-order.ts'
import { deliveryOrderOnly } from './migrations/0019-delivery-order-only.ts'
import { volumeIndexes } from './migrations/0020-volume-indexes.ts'
import { searchTerms } from './migrations/0021-search-terms.ts'
import { hourlyCounts } from './migrations/0022-hourly-counts.ts'
import { errorReferences } from './migrations/0023-error-references.ts'
import { attendanceCorrections } from './migrations/0024-attendance-corrections.ts'
import { correctedPunches } from './migrations/0025-corrected-punches.ts'
import { invitations } from './migrations/0026-invitations.ts'
import { tokenCreators } from './migrations/0027-token-creators.ts'
import { mentions } from './migrations/0028-mentions.ts'
import { rateLimitExpiry } from './migrations/0029-rate-limit-expiry.ts'
import { dealLeads } from './migrations/0030-deal-leads.ts'
import { recordSearch } from './migrations/0031-record-search.ts'
import { sharedViews } from './migrations/0032-shared-views.ts'
import { firstSteps } from './migrations/0033-first-steps.ts'
import { matchedRuns } from './migrations/0034-matched-runs.ts'
import { origins } from './migrations/0035-origins.ts'
import { personTexts } from './migrations/0036-person-texts.ts'
import { employeeAndErrorSearch } from './migrations/0037-employee-and-error-search.ts'
import { isLastRelease, upgradeFromLastRelease } from './migrations/upgrade-from-last-release.ts'
import { OpenError } from './open-error.ts'
import { writePlannerStatistics } from './planner-statistics.ts'
import type { RunStatement, Store } from './store.ts'

/** In order. Migrations are never edited after a release; new ones are appended. */
export const migrations: readonly Migration[] = [
  schema,
  inboundMapping,
  ticketTriage,
  webhookStates,
  savedViews,
  ticketMessages,
  errorOrder,
  activeAssignees,
  administration,
  hotQueues,
  traceparent,
  dueTickets,
  listOrders,
  rollingUpgrades,
  linkCreators,
  enquiryScope,
  keptBodies,
  deliveryOrder,
  deliveryOrderOnly,
  volumeIndexes,
  searchTerms,
  hourlyCounts,
  errorReferences,
  attendanceCorrections,
  correctedPunches,
  invitations,
  tokenCreators,
  mentions,
  rateLimitExpiry,
  dealLeads,
  recordSearch,
  sharedViews,
  firstSteps,
  matchedRuns,
  origins,
  personTexts,
  employeeAndErrorSearch,
]

interface AppliedMigration {
  readonly checksum: string
  readonly compatibleWith: string | undefined
}

type Applied = ReadonlyMap<string, AppliedMigration>

/** An arbitrary key of a PostgreSQL advisory lock: one process migrates while the others wait. */
const migrationLock = 7_236_411

/**
 * Migrates to the newest schema. Each migration is one transaction, so a failed one leaves nothing behind. Concurrent ones
 * continue where they failed.
 */
export async function migrate(store: Store, clock: Clock, target: readonly Migration[] = migrations): Promise<void> {
  const applied = await readApplied(store)
  requireKnownMigrations(store, applied, target)
  for (const migration of target.filter(({ name }) => !applied.has(name))) {
    const order: MigrationOrder = { migration, appliedAt: clock.now() }
    if (migration.isConcurrent && store.withSession !== undefined)
      await store.withSession((run) => buildIndexes(store, run, order))
    else await store.migrateWith((run) => applyOne(store, run, order))
  }
}

export async function schemaStatus(store: Store): Promise<SchemaStatus> {
  const applied = [...(await findApplied(store)).keys()]
  return { applied, pending: migrations.map(({ name }) => name).filter((name) => !applied.includes(name)) }
}

/** When the first migration created the database. */
export async function createdAt({ db }: Store): Promise<Micros> {
  const { rows } = await sql<{ at: number | null }>`select min(applied_at) as at from migrations`.execute(db)
  return Number(rows[0]?.at ?? 0)
}

/** Throws if a start would reject the schema. Changes nothing. */
export async function requireOwnSchema(store: Store): Promise<void> {
  requireKnownMigrations(store, await findApplied(store), migrations)
}

/** Empty if a SQLite database was never migrated. A PostgreSQL database is only asked afterwards. */
async function findApplied({ db }: Store): Promise<Applied> {
  const { rows } = await sql<AppliedRow>`select * from migrations order by name`.execute(db).catch((fault: unknown) => {
    if (fault instanceof Error && fault.message.startsWith('no such table')) return { rows: [] }
    throw fault
  })
  return toApplied(rows)
}

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
    applied = await listApplied(run, 'all')
  })
  return applied
}

/**
 * A migration may add a column to the table, and PostgreSQL refuses a prepared statement whose columns have changed. So
 * each migration has its own statement.
 */
async function listApplied(run: RunStatement, before: string): Promise<Applied> {
  return toApplied(await run(`select * from migrations /* before ${before} */ order by name`))
}

interface AppliedRow {
  readonly name?: unknown
  readonly checksum?: unknown
  /** Missing before the migration that adds it. */
  readonly compatible_with?: unknown
}

const toApplied = (rows: readonly AppliedRow[]): Applied =>
  new Map(
    rows.map(({ name, checksum, compatible_with }) => [
      String(name),
      {
        checksum: String(checksum),
        compatibleWith: typeof compatible_with === 'string' ? compatible_with : undefined,
      },
    ]),
  )

interface MigrationOrder {
  readonly migration: Migration
  readonly appliedAt: number
}

async function applyOne(store: Store, run: RunStatement, order: MigrationOrder): Promise<void> {
  const { migration } = order
  await lock(store, run)
  // Another process may have applied it while this one waited for the lock.
  const applied = await listApplied(run, migration.name)
  if (applied.has(migration.name)) return
  const ofDialect = columns[store.dialect]
  const isUpgraded = isLastRelease(store.dialect, applied)
  const statements = isUpgraded ? upgradeFromLastRelease(ofDialect) : migration.statements(ofDialect)
  for (const statement of await distributing(store, run, statements)) await run(statement)
  if (store.dialect === 'sqlite') await writePlannerStatistics(run)
  await record(store, run, order)
}

/** On PostgreSQL, over a separate connection. */
async function buildIndexes(store: Store, run: RunStatement, order: MigrationOrder): Promise<void> {
  const { name, statements } = order.migration
  await buildConcurrently(run, async (build) => {
    // Another process may have built them while this one waited.
    if ((await listApplied(run, name)).has(name)) return
    for (const statement of statements(columns[store.dialect])) await build(statement)
    await record(store, run, order)
  })
}

async function record(store: Store, run: RunStatement, { migration, appliedAt }: MigrationOrder): Promise<void> {
  const { name, compatibleWith } = migration
  const row = { name: `'${name}'`, checksum: `'${checksum(store, migration)}'`, applied_at: String(appliedAt) }
  const complete = compatibleWith === undefined ? row : { ...row, compatible_with: `'${compatibleWith}'` }
  const values = Object.values(complete).join(', ')
  await run(`insert into migrations (${Object.keys(complete).join(', ')}) values (${values})`)
}

/**
 * Other nodes serve requests meanwhile. A request that comes after a migration that waits for a table waits as well, so
 * the migration gives up soon, lets the requests pass, and tries again.
 */
const tableLockMs = 1000

async function lock(store: Store, run: RunStatement): Promise<void> {
  if (store.dialect === 'sqlite') return
  await run(`select pg_advisory_xact_lock(${migrationLock})`)
  await run(`set local lock_timeout = ${tableLockMs}`)
}

function requireKnownMigrations(store: Store, applied: Applied, migrations: readonly Migration[]): void {
  if (isLastRelease(store.dialect, applied)) return
  const names = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied.keys()].filter((name) => !names.has(name))
  if (unknown.length > 0 && !isNextRelease(applied, names))
    throw new OpenError(
      `The database has a schema that this version does not know (${unknown.join(', ')}). Start the version that wrote it or a newer one, or restore a backup made by this version.`,
    )
  for (const migration of migrations) {
    const before = applied.get(migration.name)
    if (before === undefined || before.checksum === checksum(store, migration)) continue
    throw new OpenError(
      `The database was created with a different text of the migration ${migration.name}, so its tables may differ. Start the version that created it, or restore a backup of a released version.`,
    )
  }
}

/** Whether the next release migrated the database, and its migrations allow nodes of this version beside it. */
function isNextRelease(applied: Applied, names: ReadonlySet<string>): boolean {
  const isCompatible = ([name, { compatibleWith }]: [string, AppliedMigration]) =>
    names.has(name) || (compatibleWith !== undefined && names.has(compatibleWith))
  return [...names].every((name) => applied.has(name)) && [...applied].every(isCompatible)
}

function checksum(store: Store, migration: Migration): string {
  return createHash('sha256').update(migration.statements(columns[store.dialect]).join(';\n')).digest('hex')
}
