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
const change = /\b(insert)\s+(?:or\s+\w+\s+)?into\s+"?(\w+)|\b(update)\s+"?(\w+)|\b(delete)\s+from\s+"?(\w+)/i

const known = new Map<string, Change | undefined>()
/** Texts are few; only somebody who builds SQL with values in it makes endless ones. */
const mostKnown = 2000

/** What a statement changes, from its head; undefined when it only reads. */
export function changeOf(sql: string): Change | undefined {
  if (known.has(sql)) return known.get(sql)
  const found = read(sql)
  if (known.size < mostKnown) known.set(sql, found)
  return found
}

function read(sql: string): Change | undefined {
  const head = /^[\s(]*(\w+)/.exec(sql)?.[1]?.toLowerCase()
  if (head === undefined || !(head in kinds || head === 'with')) return undefined
  // Behind `with` stands a list of queries in parentheses; what the whole statement does stands outside of them.
  const [, insert, into, update, updated, , from] = change.exec(head === 'with' ? outsideParentheses(sql) : sql) ?? []
  if (insert !== undefined && into !== undefined) return { table: into, kind: kinds.insert }
  if (update !== undefined && updated !== undefined) return { table: updated, kind: kinds.update }
  return from === undefined ? undefined : { table: from, kind: kinds.delete }
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

/** Counts what a statement has changed. */
export function countRows(counts: RowCounts, sql: string, rows: number): void {
  if (rows === 0) return
  const found = changeOf(sql)
  if (found === undefined) return
  countOf(counts, found.table)[found.kind] += rows
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
