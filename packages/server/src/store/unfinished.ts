import { parseDatabaseUrl } from '../core/database-url.ts'
import { toShellWord } from '../core/shell-word.ts'
import { OpenError } from './open-error.ts'
import { hostOf, isDatabaseUrl } from './postgres-faults.ts'
import type { RunStatement, Store } from './store.ts'

// A command that fills or rebuilds a database leaves a table in it until it is done. Every other command that opens the
// database reads these marks first: half a copy is not a platform, and must neither serve nor send webhooks.

/** The commands that leave marks. `db copy` keeps its progress in its mark, and `db distribute` the foreign keys. */
const marks = {
  copy_progress: 'db copy',
  restore_progress: 'restore',
  saved_foreign_keys: 'db distribute',
} as const

type Mark = keyof typeof marks
export type LongCommand = (typeof marks)[Mark]

/** The marks as a list of SQL, for statements that leave them out. */
export const markNames = Object.keys(marks)
  .map((name) => `'${name}'`)
  .join(', ')

/** A command that has not finished. */
interface Unfinished {
  readonly command: LongCommand
  /** What it copies or restores, if known. */
  readonly source: string | undefined
  /** The command that completes it, if known. */
  readonly completion?: string | undefined
}

type Dialect = Store['dialect']

export async function findUnfinished(run: RunStatement, dialect: Dialect): Promise<Unfinished | undefined> {
  const found = await run(
    dialect === 'sqlite'
      ? `select name from sqlite_schema where type = 'table' and name in (${markNames})`
      : `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relname in (${markNames})`,
  )
  const names = new Set(found.map(({ name }) => name))
  const [mark] = (Object.keys(marks) as Mark[]).filter((name) => names.has(name)) // the keys of a constant
  if (mark === undefined) return undefined
  if (mark !== 'copy_progress' && mark !== 'restore_progress') return { command: marks[mark], source: undefined }
  const rows = await run(`select name, last from ${mark} where name in ('${sourceRow}', '${completionRow}')`)
  const facts = new Map(rows.map((row) => [row['name'], String(row['last'])]))
  return { command: marks[mark], source: facts.get(sourceRow), completion: facts.get(completionRow) }
}

/** Rows of a mark. */
const sourceRow = 'source'
const completionRow = 'command'

/** What to do about a command that has not finished. */
function unfinishedMessage({ command, source, completion }: Unfinished): string {
  if (command === 'db distribute')
    return 'The foreign keys of this database are missing since an interrupted "db distribute". Stop the platform, and run "service-server db distribute" again, which completes it.'
  const argument = source === undefined ? undefined : toShellWord(source)
  return command === 'restore'
    ? `A restore of ${source ?? 'a backup'} into this database has not finished, so it has no data yet. Run "${completion ?? `service-server restore ${argument ?? '<file>'}`}" again on the same database, which completes it, or use another database.`
    : `A copy of ${source ?? 'another database'} into this database has not finished, so data is missing. Stop the platform, and run "service-server db copy --from ${argument ?? '<source>'} --to <this database>" again, which completes it. If the source was changed meanwhile, copy into a new database instead.`
}

/** Rejects a database that a command has not finished to fill. */
export async function requireFinished(run: RunStatement, dialect: Dialect, except?: LongCommand): Promise<void> {
  const unfinished = await findUnfinished(run, dialect)
  if (unfinished !== undefined && unfinished.command !== except) throw new OpenError(unfinishedMessage(unfinished))
}

/** An arbitrary key of a PostgreSQL advisory lock, which ends with its connection. */
const fillLock = 7_163_204_118

/** Only one `db copy` or `restore` at a time fills a PostgreSQL database. */
export async function lockForFilling(run: RunStatement): Promise<void> {
  const [row] = await run(`select pg_try_advisory_lock(${fillLock}) as locked`)
  if (row?.['locked'] !== true)
    throw new OpenError('Another restore or copy into this database is running. Wait until it has ended.')
}

/** The first step of `db copy` and `restore`: marks an empty database, unless the same command has marked it before. */
export async function beginFilling(
  run: RunStatement,
  dialect: Dialect,
  { command, source, completion }: Unfinished & { readonly command: 'db copy' | 'restore'; readonly source: string },
): Promise<void> {
  const unfinished = await findUnfinished(run, dialect)
  if (unfinished?.command === 'db copy' && command === 'db copy') requireSameSource(unfinished, source)
  if (unfinished?.command === command) return
  // `db copy` restores the foreign keys too.
  if (unfinished !== undefined && unfinished.command !== 'db distribute')
    throw new OpenError(unfinishedMessage(unfinished))
  await requireWithoutRows(run, dialect)
  const mark = command === 'db copy' ? 'copy_progress' : 'restore_progress'
  await run(
    `create table ${mark} (name text primary key, last text, done ${dialect === 'sqlite' ? 'integer) strict' : 'boolean)'}`,
  )
  const facts = { [sourceRow]: source, ...(completion === undefined ? {} : { [completionRow]: completion }) }
  for (const [name, text] of Object.entries(facts))
    await run(`insert into ${mark} (name, last) values ('${name}', '${text.replaceAll("'", "''")}')`)
}

/** A copy continues after its last row, so the rows of another source would be mixed with those of the first. */
function requireSameSource({ source: begun }: Unfinished, source: string): void {
  if (begun === undefined || isSameSource(begun, source)) return
  throw new OpenError(
    `The target has an unfinished copy of ${begun}, and --from is ${source}. Complete that copy with --from ${toShellWord(begun)}, or choose a new database for --to.`,
  )
}

/** Compares only hosts and names of databases, because the user may change. */
function isSameSource(one: string, other: string): boolean {
  const identify = (source: string) =>
    isDatabaseUrl(source) ? hostOf(source) + parseDatabaseUrl(source).pathname : source
  return identify(one) === identify(other)
}

/** Tables that a server or a migration fills itself: health checks, rate limits, the progress of retention, the index. */
export const ownTables: ReadonlySet<string> = new Set([
  'health_checks',
  'rate_limit_windows',
  'audit_retention',
  'ticket_search',
])

async function requireWithoutRows(run: RunStatement, dialect: Dialect): Promise<void> {
  const tables = await run(
    dialect === 'sqlite'
      ? `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite%'`
      : `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  )
  for (const name of tables.map((row) => String(row['name']))) {
    if (ownTables.has(name) || name === 'migrations' || name in marks) continue
    const [row] = await run(`select 1 from "${name}" limit 1 /* across workspaces: migration */`)
    if (row !== undefined)
      throw new OpenError(
        `The table ${name} of the target has rows already. Choose a new database. If an earlier run has completed, start the platform on it.`,
      )
  }
}
