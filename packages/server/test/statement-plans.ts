import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { parentStatements, type Volume, volumeStatements } from '../../../bench/volume-rows.ts'
import { systemClock } from '../src/core/system-clock.ts'
import { migrate } from '../src/store/migrate.ts'
import { openSqlite } from '../src/store/sqlite.ts'
import { isAboutRows, type SentStatement } from './sent-statements.ts'

// Asks both databases how they would answer every statement that the tests have sent, and refuses those that read a
// workspace, a table, or the instance. SQLite plans with the statistics of the server. PostgreSQL plans with a small copy of the
// rows of the volume benchmark, which its catalog says are a thousand times as many.

/** Columns that many rows of a workspace share. A search by only these reads all of them. */
const sharedColumns: ReadonlySet<string> = new Set([
  ...['workspace_id', 'status', 'state', 'kind', 'provider', 'integration', 'source', 'app', 'stage', 'priority'],
  ...['resolved_at', 'disabled_at', 'deleted_at', 'revoked_at', 'role', 'enabled', 'is_test', 'operation'],
])

/** Tables with few rows in a workspace, and what limits them. */
const smallTables: Readonly<Record<string, string>> = {
  audit_retention: 'One row.',
  automation_rules: 'Rules are written by hand.',
  channels: 'Channels are created by hand.',
  copy_progress: 'One row for each table.',
  delivery_jobs: 'Finished jobs are deleted.',
  delivery_queues: 'One for each subscription.',
  delivery_schedule: 'One row.',
  delivery_counts: 'One row for each hour of 32 days and subscription.',
  devices: 'Terminals that a workspace owns.',
  encryption_key: 'One row.',
  error_ticket_budgets: 'One row for each workspace.',
  health_checks: 'One row.',
  integrations: 'One for each kind.',
  lead_sources: 'One for each source.',
  migrations: 'One for each migration.',
  one_time_links: 'A link lives for hours.',
  operation_marks: 'One for each operation.',
  resolved_counts: 'One row for each hour of 32 days.',
  shared_views: 'At most 20, see `row-limits.ts`.',
  sla_policies: 'One for each priority.',
  sqlite_sequence: 'One row for each table. Only seeds and factories read it.',
  subscription_events: 'Patterns of subscriptions.',
  subscriptions: 'Endpoints are added by hand.',
  ticket_counters: 'One row for each workspace.',
  unrouted_events: 'An event stays until a worker routes it, within seconds.',
}

interface Exception {
  /** A part of the statement, without quotes. */
  readonly text: RegExp
  readonly reason: string
  /** What limits the rows that it reads. */
  readonly bound: string
  /** Set if requests send it, which then wait for no more than the bound. All others are refused in a request. */
  readonly isInRequests?: true
}

const exceptions: readonly Exception[] = [
  {
    text: /\/\* bounded read \*\//,
    reason: 'It filters the part of a list that one page reads.',
    bound: '2,000 rows, which the caller finds first, see `filtered-list.ts`.',
    isInRequests: true,
  },
  {
    text: /across workspaces: (retention|encryption)|^delete from audit_log where at < /,
    reason: 'Maintenance, also if an administrator of the instance asks for it.',
    bound: 'Batches of the oldest 500 rows, for a second; or batches of encrypted rows.',
    isInRequests: true,
  },
  { text: /across workspaces: migration/, reason: 'A migration.', bound: 'Once for each database.' },
  {
    text: /across workspaces: seeds| order by 1 limit 1$/,
    reason: 'Factories look up names, also when a control of the test server calls them.',
    bound: 'The rows of a test.',
    isInRequests: true,
  },
  {
    text: /across workspaces: search index/,
    reason: 'On SQLite, a search first indexes the tickets that were created in the last second.',
    bound: 'Batches of 200 tickets in the order of their ids.',
    isInRequests: true,
  },
  {
    text: /across workspaces: membership/,
    reason: 'The workspaces of one person, or of the people on one page.',
    bound: 'Their memberships.',
    isInRequests: true,
  },
  {
    text: /across workspaces: authentication/,
    reason: 'The token does not name its workspace.',
    bound: 'One row, by a unique hash.',
    isInRequests: true,
  },
  {
    text: /^delete from sessions where \(expires_at/,
    reason: 'Expired sessions are deleted at a sign-in.',
    bound: 'The sessions that ended since the last sign-in.',
    isInRequests: true,
  },
  {
    text: /from inbound_deliveries where|^(update|delete from) inbound_deliveries /,
    reason: 'The log of one integration.',
    bound: 'The newest 500 deliveries of each integration, the others are deleted.',
    isInRequests: true,
  },
  {
    text: /^(update|delete from) automation_runs |^delete from automation_rules /,
    reason: 'Deleting a rule deletes its runs.',
    bound: 'The runs of one rule within their retention.',
    isInRequests: true,
  },
  {
    text: /from api_tokens |^update api_tokens set revoked_at/,
    reason: 'Tokens are created by hand.',
    bound: 'The tokens of a workspace.',
    isInRequests: true,
  },
  {
    text: /from personal_tokens .* where token_hash = /,
    reason: 'The token does not name its owner.',
    bound: 'One row, by a unique hash.',
    isInRequests: true,
  },
  {
    text: /^select id, name, time_zone, currency, disabled_at, created_at from workspaces order by id$/,
    reason: 'Seeds, and the controls of the test server.',
    bound: 'The few workspaces of a test.',
    isInRequests: true,
  },
  { text: /^select id from workspaces$/, reason: 'Only tests.', bound: 'The few workspaces of a test.' },
  {
    text: /^select id from users where password_hash is not null limit/,
    reason: 'Whether anyone can sign in.',
    bound: 'Nearly all people have a password.',
    isInRequests: true,
  },
  {
    text: /^select max\(\w+\.created_at\) as newest from /,
    reason: 'Only factories, once for each kind.',
    bound: 'The rows of a test.',
    isInRequests: true,
  },
  {
    text: /^select id from users where id (<>|!=) \$1 and is_instance_admin = /,
    reason: 'Only when an administrator of the instance is disabled or demoted.',
    bound: 'The people of the instance.',
    isInRequests: true,
  },
  {
    text: /^update deliveries set next_attempt_at = next_attempt_at \+/,
    reason: 'A start, after the clock of the machine was set.',
    bound: 'Pending deliveries, which have an index of their own.',
  },
  {
    text: /from members inner join users|from members where .*role = /,
    reason: 'Members are added by hand.',
    bound: 'The members of a workspace.',
    isInRequests: true,
  },
  {
    text: /^select count\(\*\) as count from workspaces$/,
    reason: 'The page of the system.',
    bound: 'The workspaces: 2,000 take a tenth of a millisecond.',
    isInRequests: true,
  },
  {
    text: /from events where .*is_test = /,
    reason: 'A page of events without tests.',
    bound: 'Few events are tests, so a page of the others ends soon.',
    isInRequests: true,
  },
  {
    text: /from deliveries where .*\(state = 'held' or \(state = 'failed'/,
    reason: 'A job resends failed and held deliveries.',
    bound: 'Steps of the job.',
    isInRequests: true,
  },
  {
    text: /^update deliveries set (state = 'pending'|attempt_class = 1)|^insert into delivery_counts .* join deliveries/,
    reason: 'Deliveries are sent again.',
    bound: 'Those with some ids, or the pending ones of a subscription if those are fewer.',
    isInRequests: true,
  },
  {
    text: /^select count\(\*\) as count from events where/,
    reason: 'Counts what a replay would send, before a person confirms it.',
    bound: 'The events of the chosen time.',
    isInRequests: true,
  },
]

/** The exceptions that allow a statement. */
const exceptionsFor = (text: string) => exceptions.filter((exception) => exception.text.test(text))

const normalized = (text: string) =>
  text
    .replaceAll('"', '')
    .replace(/\+?\?\d*/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()

/** Throws if one of these statements reads more than its answer needs. */
export async function requireBoundedPlans(sent: readonly SentStatement[], server: PlanServer): Promise<void> {
  const faults: string[] = []
  for (const { dialect, text, isInRequest } of sent) {
    const allowing = exceptionsFor(normalized(text))
    if (allowing.length > 0) {
      if (isInRequest && !allowing.some(({ isInRequests }) => isInRequests === true))
        faults.push(`${dialect} sends what only work in the background may read, to answer a request:\n${text}`)
      continue
    }
    const found = dialect === 'sqlite' ? await sqliteFaults(text) : await postgresFaults(text, server)
    faults.push(...found.map((fault) => `${dialect} reads too much: ${fault}\n${text}`))
  }
  if (faults.length > 0) throw new Error(faults.join('\n\n'))
}

let schema: Promise<SqliteDatabase.Database> | undefined

async function openSchema(): Promise<SqliteDatabase.Database> {
  const store = openSqlite({ path: ':memory:', synchronous: 'normal' })
  await migrate(store, systemClock())
  const bytes = store.bytes?.()
  await store.close()
  return new SqliteDatabase(bytes)
}

interface SqliteStep {
  readonly id: number
  readonly parent: number
  readonly detail: string
}

/** Tables of tests do not exist here. */
const isUnknownTable = (fault: unknown) =>
  fault instanceof Error && /no such (table|column)|does not exist/.test(fault.message)

async function sqliteFaults(text: string): Promise<string[]> {
  schema ??= openSchema()
  // The plan of an insert has the checks of references, which SQLite runs only after a violation.
  if (/^\s*insert/i.test(text)) return []
  const database = await schema
  try {
    const parameters = Array.from({ length: text.match(/\?/g)?.length ?? 0 }, () => '[]')
    const steps = database.prepare<unknown[], SqliteStep>(`explain query plan ${text}`).all(...parameters)
    return faultsOfSteps(database, text, steps)
  } catch (fault) {
    if (isUnknownTable(fault)) return []
    throw fault
  }
}

function faultsOfSteps(database: SqliteDatabase.Database, text: string, steps: readonly SqliteStep[]): string[] {
  const sorted = new Set(steps.filter(({ detail }) => detail.includes('USE TEMP B-TREE')).map(({ parent }) => parent))
  const firstOf = new Map(steps.toReversed().map(({ id, parent }) => [parent, id]))
  return steps.flatMap(({ id, parent, detail }) => {
    const [, table = '', rest = ''] = /^(?:SCAN|SEARCH) (\w+)(.*)$/.exec(detail) ?? []
    if (
      table === '' ||
      table in smallTables ||
      /VIRTUAL TABLE|CONSTANT ROW/.test(detail) ||
      !isTable(database, text, table)
    )
      return []
    if (isNarrow([...rest.matchAll(/(\w+)(=|>|<)\?/g)].map(([, column = '', operator = '']) => ({ column, operator }))))
      return []
    const isLimited = /\blimit\b/i.test(text) && !sorted.has(parent) && firstOf.get(parent) === id
    const isExtreme = /^\s*select (min|max)\(/i.test(text)
    return isLimited || isExtreme ? [] : [detail]
  })
}

/** Whether a name is that of a table or an alias of one, and not of a subquery. */
function isTable(database: SqliteDatabase.Database, text: string, name: string): boolean {
  const aliased = new RegExp(`"?(\\w+)"? as "?${name}"?(?!\\w)`).exec(text)?.[1] ?? name
  return database.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(aliased) !== undefined
}

interface Comparison {
  readonly column: string
  readonly operator: string
}

/** Whether an index finds few rows: by a column that few rows share, or between two bounds. */
const isNarrow = (comparisons: readonly Comparison[]) =>
  comparisons.some(
    ({ column, operator }) =>
      (operator === '=' && !sharedColumns.has(column)) ||
      (operator === '>' && comparisons.some((other) => other.column === column && other.operator === '<')),
  )

/** Where PostgreSQL plans. */
export interface PlanServer {
  /** Creates a migrated database and returns its URL; undefined on a server that plans otherwise. */
  create(name: string): Promise<string | undefined>
}

let planner: Promise<pg.Client | undefined> | undefined

const volume: Volume = { dialect: 'postgres', tickets: 8000, workspaces: 20, now: 1_795_000_000_000_000 }

async function openPlanner(server: PlanServer): Promise<pg.Client | undefined> {
  const url = await server.create(`service_plans_${process.env['VITEST_POOL_ID'] ?? 0}`)
  if (url === undefined) return undefined
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined) // The server stops after the last test.
  await client.connect()
  for (const statement of parentStatements(volume)) await client.query(statement)
  for (const statement of volumeStatements(volume)) await client.query(statement)
  await client.query(`insert into ticket_search select workspace_id, id, to_tsvector('simple', title) from tickets`)
  await client.query('analyze')
  await client.query(`update pg_class set reltuples = reltuples * 1000
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'i') and reltuples > 20`)
  // A table of these statistics would never be scanned, but some have no rows.
  await client.query('set enable_seqscan = off')
  await client.query("set plan_cache_mode = 'force_generic_plan'")
  return client
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Parent Relationship'?: string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Recheck Cond'?: string
  readonly Filter?: string
  readonly Plans?: readonly PlanNode[]
}

async function postgresFaults(text: string, server: PlanServer): Promise<string[]> {
  if (!isAboutRows(text)) return []
  planner ??= openPlanner(server)
  const client = await planner
  if (client === undefined) return []
  try {
    await client.query(`prepare sent as ${text}`)
    const { rows } = await client.query(
      "select coalesce(array_length(parameter_types, 1), 0) as count from pg_prepared_statements where name = 'sent'",
    )
    const values = Array.from({ length: Number(rows[0].count) }, () => 'null').join(', ')
    const explained = await client.query(`explain (format json) execute sent${values === '' ? '' : `(${values})`}`)
    return faultsOfNode(explained.rows[0]['QUERY PLAN'][0].Plan, false)
  } catch (fault) {
    if (isUnknownTable(fault)) return []
    throw fault
  } finally {
    await client.query('deallocate all')
  }
}

const readsAll = /Sort|Aggregate|Hash|WindowAgg|Materialize|Unique/

/** `isLimited`: a limit above the node ends its reading. */
function faultsOfNode(node: PlanNode, isLimited: boolean): string[] {
  const { 'Node Type': type, Plans: inputs = [] } = node
  const below = type === 'Limit' || (isLimited && !readsAll.test(type))
  return [
    ...(isBounded(node, isLimited) ? [] : [describe(node)]),
    ...inputs.flatMap((input) =>
      faultsOfNode(input, input['Parent Relationship'] === 'Outer' || type === 'Append' ? below : false),
    ),
  ]
}

function isBounded(node: PlanNode, isLimited: boolean): boolean {
  const { 'Node Type': type, 'Relation Name': table } = node
  // A `Tid Scan` looks up the rows that another node has found.
  if (table === undefined || !type.endsWith('Scan') || type === 'Tid Scan' || table in smallTables) return true
  const condition = node['Index Cond'] ?? node['Recheck Cond'] ?? ''
  // An index of words is on an expression, which ends with parentheses.
  const comparisons = [...condition.matchAll(/"?(\w+)"?(?:::\w+)?\)* (=|>|<|@@)/g)].map(
    ([, column = '', operator = '']) => ({
      column,
      operator: operator === '@@' ? '=' : operator,
    }),
  )
  if (type === 'Seq Scan') return false
  return isNarrow(comparisons) || (isLimited && node.Filter === undefined)
}

const describe = (node: PlanNode) =>
  [
    node['Node Type'],
    node['Relation Name'],
    node['Index Name'],
    node['Index Cond'] ?? node['Recheck Cond'],
    node.Filter && `filter ${node.Filter}`,
  ]
    .filter(Boolean)
    .join(' ')
