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
  readonly main: { readonly table: string; readonly kind: keyof RowCount } | undefined
  /** Tables of rows that PostgreSQL inserts in a `with` list. It counts only the main statement. */
  readonly onTheWay: readonly string[]
}

const known = new Map<string, Changes>()
/** Few distinct texts exist, unless code builds SQL with values in it. */
const mostKnown = 2000

/** Parses each text once. */
function changesOf(sql: string): Changes {
  // Single spaces simplify the expressions.
  const found = known.get(sql) ?? readChanges(sql.replace(/\s+/g, ' '))
  if (known.size < mostKnown) known.set(sql, found)
  return found
}

/** The first match counts: `on conflict do update` comes after its `insert`. */
const change = /\b(insert|update|delete)(?: or \w+)?(?: into| from)? "?(\w+)/i
const insertedOnTheWay = /\( ?insert into "?(\w+)"? ?\([^()]*\) ?values\b/gi

function readChanges(sql: string): Changes {
  const hasWith = /^[ (]*with\b/i.test(sql)
  const match = change.exec(hasWith ? outsideParentheses(sql) : sql)
  const [, verb = '', table = ''] = match ?? []
  const isMain = hasWith || /^[ (]*$/.test(sql.slice(0, match?.index))
  const kind = kinds[verb.toLowerCase() as keyof typeof kinds] // the expression matches only these
  return {
    main: match !== null && isMain ? { table, kind } : undefined,
    onTheWay: hasWith ? [...sql.matchAll(insertedOnTheWay)].map(([, inserted = '']) => inserted) : [],
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
  const { main, onTheWay } = changesOf(sql)
  if (main?.table === indexTable) return
  for (const table of onTheWay) countOf(counts, table).inserted += 1
  if (main !== undefined && rows > 0) countOf(counts, main.table)[main.kind] += rows
}

export function addCounts(to: RowCounts, counts: RowCounts): void {
  for (const [table, { inserted, updated, deleted }] of counts) {
    const count = countOf(to, table)
    count.inserted += inserted
    count.updated += updated
    count.deleted += deleted
  }
}

function countOf(counts: RowCounts, table: string): RowCount {
  const count = counts.get(table) ?? { inserted: 0, updated: 0, deleted: 0 }
  counts.set(table, count)
  return count
}
