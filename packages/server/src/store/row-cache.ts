import { tableWrittenBy } from './change-signal.ts'
import type { Store } from './store.ts'

/** A cache of recently read rows. A row is valid until a commit may have changed it. */
export interface RowCache {
  /** Returns the cached row of a key, or else the result of `load`. A key always holds the same kind of row. */
  find<Row extends RowOfWorkspace>(key: string, load: () => Promise<Row | undefined>): Promise<Row | undefined>
}

interface RowOfWorkspace {
  readonly workspace_id: number
}

const maxRows = 10_000

/** Available only if this process sees every commit. */
export function createRowCache(store: Store, invalidatedBy: InvalidatedBy): RowCache | undefined {
  if (store.dialect !== 'sqlite') return undefined
  const { versionOf, versionOfAll } = countChanges(store, invalidatedBy)
  const cached = new Map<string, { readonly row: RowOfWorkspace; readonly version: string | undefined }>()
  return {
    async find<Row extends RowOfWorkspace>(key: string, load: () => Promise<Row | undefined>) {
      const hit = cached.get(key)
      if (hit !== undefined) {
        const version = versionOf(hit.row.workspace_id)
        if (version !== undefined && version === hit.version) return hit.row as Row // found by the same key
        cached.delete(key)
      }
      const before = versionOfAll()
      const row = await load()
      if (row === undefined || before === undefined || versionOfAll() !== before) return row
      cached.set(key, { row, version: versionOf(row.workspace_id) })
      const [oldest] = cached.keys()
      if (cached.size > maxRows && oldest !== undefined) cached.delete(oldest)
      return row
    },
  }
}

// One process owns a SQLite database, so it sees each commit; cached rows stay valid until a commit may affect them.
// On PostgreSQL other processes may write at any time, so nothing is cached.

/** Whose cached data a change of a table invalidates; `undefined` is a table that is not recognized. */
export type InvalidatedBy = (table: string | undefined) => 'nothing' | 'workspace' | 'everything'

/** Versions of cached data. Inside a transaction, which sees uncommitted changes, they are undefined. */
export interface ChangeCount {
  /** Changes after each commit that may affect the workspace. */
  versionOf(workspaceId: number): string | undefined
  /** Changes after each commit that may affect any workspace. */
  versionOfAll(): string | undefined
}

/** Create it with the store, before the first write: data cached before an unseen commit would stay stale. */
export function countChanges(store: Store, invalidatedBy: InvalidatedBy): ChangeCount {
  const ofWorkspace = new Map<number, number>()
  let ofEverything = 0
  let all = 0
  store.observeTransactions(() => {
    let invalidated: ReturnType<InvalidatedBy> = 'nothing'
    return {
      statementRan(sql, rows) {
        if (rows === 0 || invalidated === 'everything') return
        const invalidatedByTable = invalidatedBy(tableWrittenBy(sql))
        if (invalidatedByTable !== 'nothing') invalidated = invalidatedByTable
      },
      committed(workspaceId) {
        if (invalidated === 'nothing') return
        all += 1
        if (workspaceId === undefined || invalidated === 'everything') ofEverything += 1
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
