/** The number of changed rows of one table. A row updated by `on conflict do update` counts as inserted. */
export interface RowCount {
  inserted: number
  updated: number
  deleted: number
}

/** By table name. */
export type RowCounts = Map<string, RowCount>

const kinds = { insert: 'inserted', update: 'updated', delete: 'deleted' } as const

/** The effect of a statement. */
interface Changes {
  /** The database's own count. */
  readonly mainChange: { readonly table: string; readonly kind: keyof RowCount } | undefined
  /** Tables of rows that PostgreSQL inserts in a `with` list. It counts only the main statement. */
  readonly insertedByWith: readonly string[]
}

const parsedStatements = new Map<string, Changes>()
/** Few distinct texts exist, unless code builds SQL with values in it. */
const maxParsedStatements = 2000

/** Parses each text once. */
function parseChanges(sql: string): Changes {
  // Single spaces simplify the expressions.
  const changes = parsedStatements.get(sql) ?? readChanges(sql.replace(/\s+/g, ' '))
  if (parsedStatements.size < maxParsedStatements) parsedStatements.set(sql, changes)
  return changes
}

/** The first match counts: `on conflict do update` comes after its `insert`. */
const change = /\b(insert|update|delete)(?: or \w+)?(?: into| from)? "?(\w+)/i
const withInsert = /\( ?insert into "?(\w+)"? ?\([^()]*\) ?values\b/gi

function readChanges(sql: string): Changes {
  const hasWith = /^[ (]*with\b/i.test(sql)
  const match = change.exec(hasWith ? outsideParentheses(sql) : sql)
  const [, verb = '', table = ''] = match ?? []
  const isMain = hasWith || /^[ (]*$/.test(sql.slice(0, match?.index))
  const kind = kinds[verb.toLowerCase() as keyof typeof kinds] // the expression matches only these
  return {
    mainChange: match !== null && isMain ? { table, kind } : undefined,
    insertedByWith: hasWith ? [...sql.matchAll(withInsert)].map(([, inserted = '']) => inserted) : [],
  }
}

function outsideParentheses(sql: string): string {
  let depth = 0
  let outside = ''
  for (const character of sql) {
    if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    else if (depth === 0) outside += character
  }
  return outside
}

/** An index that is written like a table. Only its source rows count. */
const indexTable = 'ticket_search'

/** Counts the rows changed by a statement. */
export function countRows(counts: RowCounts, sql: string, rows: number): void {
  const { mainChange, insertedByWith } = parseChanges(sql)
  if (mainChange?.table === indexTable) return
  for (const table of insertedByWith) getCount(counts, table).inserted += 1
  if (mainChange !== undefined && rows > 0) getCount(counts, mainChange.table)[mainChange.kind] += rows
}

export function addCounts(to: RowCounts, counts: RowCounts): void {
  for (const [table, { inserted, updated, deleted }] of counts) {
    const count = getCount(to, table)
    count.inserted += inserted
    count.updated += updated
    count.deleted += deleted
  }
}

function getCount(counts: RowCounts, table: string): RowCount {
  const count = counts.get(table) ?? { inserted: 0, updated: 0, deleted: 0 }
  counts.set(table, count)
  return count
}
