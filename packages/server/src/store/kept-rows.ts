import { tableWrittenBy } from './change-signal.ts'
import type { Store } from './store.ts'

/** A cache of recently read rows. A row is valid until a commit may have changed it. */
export interface KeptRows {
  /** Returns the cached row of a key, or else the result of `look`. A key always holds the same kind of row. */
  find<Row extends RowOfWorkspace>(key: string, look: () => Promise<Row | undefined>): Promise<Row | undefined>
}

interface RowOfWorkspace {
  readonly workspace_id: number
}

const mostRows = 10_000

/** Available only if this process sees every commit. */
export function createKeptRows(store: Store, concernOf: ConcernOf): KeptRows | undefined {
  if (store.dialect !== 'sqlite') return undefined
  const { versionOf, versionOfAll } = countChanges(store, concernOf)
  const kept = new Map<string, { readonly row: RowOfWorkspace; readonly version: string | undefined }>()
  return {
    async find<Row extends RowOfWorkspace>(key: string, look: () => Promise<Row | undefined>) {
      const known = kept.get(key)
      if (known !== undefined) {
        const version = versionOf(known.row.workspace_id)
        if (version !== undefined && version === known.version) return known.row as Row // found by the same key
        kept.delete(key)
      }
      const before = versionOfAll()
      const row = await look()
      if (row === undefined || before === undefined || versionOfAll() !== before) return row
      kept.set(key, { row, version: versionOf(row.workspace_id) })
      const [oldest] = kept.keys()
      if (kept.size > mostRows && oldest !== undefined) kept.delete(oldest)
      return row
    },
  }
}

// One process owns a SQLite database, so it sees each commit; cached rows stay valid until a commit may affect them.
// On PostgreSQL other processes may write at any time, so nothing is cached.

/** Whose cached data a change of a table invalidates; `undefined` is a table that is not recognized. */
export type ConcernOf = (table: string | undefined) => 'nothing' | 'workspace' | 'everything'

/** Versions of cached data. Inside a transaction, which sees uncommitted changes, they are undefined. */
export interface ChangeCount {
  /** Changes after each commit that may affect the workspace. */
  versionOf(workspaceId: number): string | undefined
  /** Changes after each commit that may affect any workspace. */
  versionOfAll(): string | undefined
}

/** Create it with the store, before the first write: data cached before an unseen commit would stay stale. */
export function countChanges(store: Store, concernOf: ConcernOf): ChangeCount {
  const ofWorkspace = new Map<number, number>()
  let ofEverything = 0
  let all = 0
  store.observeTransactions(() => {
    let concerned: ReturnType<ConcernOf> = 'nothing'
    return {
      statementRan(sql, rows) {
        if (rows === 0 || concerned === 'everything') return
        const concern = concernOf(tableWrittenBy(sql))
        if (concern !== 'nothing') concerned = concern
      },
      committed(workspaceId) {
        if (concerned === 'nothing') return
        all += 1
        if (workspaceId === undefined || concerned === 'everything') ofEverything += 1
        else ofWorkspace.set(workspaceId, (ofWorkspace.get(workspaceId) ?? 0) + 1)
      },
    }
  })
  const unlessInTransaction = (version: () => string) =>
    store.isInTransaction() ? undefined : `${version()}.${store.foreignChanges?.() ?? 0}`
  return {
    versionOf: (workspaceId) => unlessInTransaction(() => `${ofEverything}.${ofWorkspace.get(workspaceId) ?? 0}`),
    versionOfAll: () => unlessInTransaction(() => String(all)),
  }
}
