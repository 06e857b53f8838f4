import { requireTypes } from '../require-options.ts'
import type { DedupeStore } from './store.ts'

type Value = string | number

/** The database methods that the store uses. Both better-sqlite3 and `node:sqlite` have them. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): {
    run(...values: Value[]): { readonly changes: number | bigint }
    get(...values: Value[]): unknown
  }
}

const claimsBetweenSweeps = 1000

/**
 * Creates a store for processes that share a SQLite file. Creates its table if needed, and lets the connection wait up
 * to 5 seconds while another process writes.
 */
export function sqliteStore(
  database: SqliteDatabase,
  options: { readonly table?: string | undefined } = {},
): DedupeStore {
  if (!database?.exec) throw new TypeError('sqliteStore requires a database with exec and prepare')
  requireTypes(options, { table: 'a string' }, 'sqliteStore option')
  const { table: name = 'webhook_deliveries' } = options
  if (!/^\w+$/.test(name)) throw new TypeError('sqliteStore: table must match /^\\w+$/')
  const table = `"${name}"` // may be a keyword, such as `order`
  // A connection of `node:sqlite` would fail at once.
  database.exec(
    `pragma busy_timeout=5000;
create table if not exists ${table} (key text primary key, token text not null, is_done integer not null, expires_at integer not null) strict`,
  )
  const take = database.prepare(
    `insert into ${table} values (?, ?, 0, ?)
     on conflict (key) do update set token = excluded.token, is_done = 0, expires_at = excluded.expires_at
     where expires_at <= ?`,
  )
  const find = database.prepare(`select 1 from ${table} where key = ? and is_done = 1`)
  const finish = database.prepare(`update ${table} set is_done = 1, expires_at = ? where key = ? and token = ?`)
  const drop = database.prepare(`delete from ${table} where key = ? and token = ? and is_done = 0`)
  const sweep = database.prepare(`delete from ${table} where expires_at <= ?`)
  let claims = 0

  return {
    claim({ key, token, now, leaseMs }) {
      if (++claims % claimsBetweenSweeps === 0) sweep.run(now)
      if (take.run(key, token, now + leaseMs, now).changes) return 'claimed'
      return find.get(key) ? 'done' : 'busy'
    },
    commit: ({ key, token, now, ttlMs }) => finish.run(now + ttlMs, key, token),
    release: ({ key, token }) => drop.run(key, token),
  }
}
