import { columns, type Migration } from './columns.ts'
import type { StoredTable } from './database-facts.ts'
import { migrations } from './migrate.ts'
import { namesOfLastRelease, upgradeFromLastRelease } from './migrations/upgrade-from-last-release.ts'
import type { Store } from './store.ts'

/** What a pending migration would do to the requests of other nodes. */
export interface PlannedMigration {
  readonly name: string
  /** Existing tables that it changes, with their rows. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[]
  /**
   * `none`: it builds indexes while others write. `brief`: it changes definitions only. `rows`: it reads or writes all
   * rows while others wait.
   */
  readonly locks: 'none' | 'brief' | 'rows'
  /** About how long others wait, in seconds. */
  readonly seconds: number
}

export interface UpgradePlan {
  readonly applied: number
  readonly latest: string | null
  readonly pending: readonly PlannedMigration[]
  /** Whether servers of the version before can keep serving during and after the upgrade. Never on SQLite. */
  readonly rolling: boolean
}

/** Rows a second that an index build or an update gets through on two cores, to the safe side. */
const rowsPerSecond = 100_000

/** What `migrate` would do, without changing anything. */
export function planUpgrade(
  { dialect }: Store,
  applied: readonly string[],
  stored: readonly StoredTable[],
): UpgradePlan {
  const isLastRelease = applied.length > 0 && applied.every((name) => namesOfLastRelease.includes(name))
  const [first, ...later] = migrations
  const all =
    isLastRelease && first !== undefined ? [{ ...first, statements: upgradeFromLastRelease }, ...later] : migrations
  const pending = all.filter(({ name }) => isLastRelease || !applied.includes(name))
  const rowsOf = new Map(stored.map(({ table, rows }) => [table, rows]))
  return {
    applied: applied.length,
    latest: applied.at(-1) ?? null,
    pending: pending.map((migration) => planMigration(migration, dialect, rowsOf)),
    rolling:
      dialect === 'postgres' &&
      pending.every(({ compatibleWith }) => compatibleWith !== undefined && applied.includes(compatibleWith)),
  }
}

export function planMigration(
  migration: Migration,
  dialect: Store['dialect'],
  rowsOf: ReadonlyMap<string, number>,
): PlannedMigration {
  const statements = migration.statements(columns[dialect]).map(withoutComments)
  const changed = statements.map((statement) => ({ statement, table: tableOf(statement) }))
  const names = [...new Set(changed.map(({ table }) => table))].filter((table) => rowsOf.has(table))
  const tables = names.map((table) => ({ table, rows: rowsOf.get(table) ?? 0 }))
  // Nothing else can read a SQLite database while it is migrated.
  if (migration.isConcurrent === true && dialect === 'postgres')
    return { name: migration.name, tables, locks: 'none', seconds: 0 }
  const read = changed.filter(({ statement, table }) => rowsOf.has(table) && readsRows[dialect](statement))
  const rows = read.reduce((sum, { table }) => sum + (rowsOf.get(table) ?? 0), 0)
  return {
    name: migration.name,
    tables,
    locks: rows > 0 ? 'rows' : 'brief',
    seconds: Math.ceil(rows / rowsPerSecond),
  }
}

/** The table that a statement changes, or for `insert … select` the one that it reads. */
function tableOf(statement: string): string {
  const words = statement.split(/[\s(;]+/)
  const after = (word: string) => words[words.indexOf(word) + 1] ?? ''
  const [verb = ''] = words
  if (verb === 'update') return after('update')
  if (verb === 'insert' || verb === 'delete') return after('from')
  return words.includes('table') ? after('table') : after('on')
}

const withoutComments = (statement: string) => statement.replaceAll(/\/\*[^*]*\*\//g, '').trim()

/**
 * Whether the duration of a statement depends on the number of rows. A new column with a constant default does not touch
 * them. SQLite rewrites every row without a dropped column: https://sqlite.org/lang_altertable.html
 */
const readsRows: Readonly<Record<Store['dialect'], (statement: string) => boolean>> = {
  sqlite: (statement) => !changesDefinitions.test(statement),
  postgres: (statement) => !changesDefinitions.test(statement) && !/^alter table \w+ drop column /.test(statement),
}

const changesDefinitions =
  /^(?:drop |create table|create virtual table|create trigger|alter table \w+ (?:add column|rename) )/
