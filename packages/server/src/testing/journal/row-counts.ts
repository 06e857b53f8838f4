/** How many rows of one table were changed. A row that `on conflict do update` meets counts as inserted. */
export interface RowCount {
  inserted: number
  updated: number
  deleted: number
}

/** By the name of the table. */
export type RowCounts = Map<string, RowCount>

interface Change {
  readonly table: string
  readonly kind: keyof RowCount
}

const kinds = { insert: 'inserted', update: 'updated', delete: 'deleted' } as const
const changes = [
  { kind: kinds.insert, statement: /\binsert (?:or \w+ )?into "?(\w+)/i },
  { kind: kinds.update, statement: /\bupdate "?(\w+)/i },
  { kind: kinds.delete, statement: /\bdelete from "?(\w+)/i },
] as const

/** What a statement changes. */
interface Changes {
  /** As the database counts it. */
  readonly main: Change | undefined
  /** Single rows that PostgreSQL inserts on the way, in the list behind `with`: it tells of the main part only. */
  readonly onTheWay: readonly string[]
}

const known = new Map<string, Changes>()
/** Texts are few; only somebody who builds SQL with values in it makes endless ones. */
const mostKnown = 2000

/** From the statement's head, read once. */
export function changesOf(sql: string): Changes {
  // Every gap is one blank, so that the expressions need no open repetition of blanks.
  const found = known.get(sql) ?? read(sql.replace(/\s+/g, ' '))
  if (known.size < mostKnown) known.set(sql, found)
  return found
}

const insertedOnTheWay = /\( ?insert into "?(\w+)"? ?\([^()]*\) ?values\b/gi

function read(sql: string): Changes {
  const head = /^[\s(]*(\w+)/.exec(sql)?.[1]?.toLowerCase()
  if (head === 'with') {
    const onTheWay = [...sql.matchAll(insertedOnTheWay)].map(([, table = '']) => table)
    return { main: changeIn(outsideParentheses(sql)), onTheWay }
  }
  return { main: head !== undefined && head in kinds ? changeIn(sql) : undefined, onTheWay: [] }
}

function changeIn(sql: string): Change | undefined {
  const found = changes.flatMap(({ kind, statement }) => {
    const match = statement.exec(sql)
    return match?.[1] === undefined ? [] : [{ kind, table: match[1], index: match.index }]
  })
  // `on conflict do update` stands behind its `insert`.
  const [first] = found.sort((a, b) => a.index - b.index)
  return first && { kind: first.kind, table: first.table }
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

/** An index that is written like a table; what it is made of is counted. */
const indexTable = 'ticket_search'

/** Counts what a statement has changed. */
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
