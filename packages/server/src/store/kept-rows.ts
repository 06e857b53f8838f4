import { tableWrittenBy } from './change-signal.ts'
import type { Store } from './store.ts'

/** Rows that were found lately, until a commit may have changed them: a request need not ask the database for its own. */
export interface KeptRows {
  /** What is known under a key, or else what `look` finds. A key is asked for with one kind of row only. */
  find<Row extends RowOfWorkspace>(key: string, look: () => Promise<Row | undefined>): Promise<Row | undefined>
}

interface RowOfWorkspace {
  readonly workspace_id: number
}

const mostRows = 10_000

/** Only where this process sees every commit. */
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

// One process owns a SQLite database, so it sees each commit: what was read may be kept until one may concern it. With
// PostgreSQL others may write at any time, and nothing may be kept.

/** Whose kept data a change of a table makes old; `undefined` is a table that is not recognised. */
export type ConcernOf = (table: string | undefined) => 'nothing' | 'workspace' | 'everything'

/** Versions of what is kept. Inside a transaction, which sees what may yet be undone, there are none. */
export interface ChangeCount {
  /** Another one after each commit that may concern a workspace. */
  versionOf(workspaceId: number): string | undefined
  /** Another one after each commit that may concern any. */
  versionOfAll(): string | undefined
}

/** Made with the store, before anything is written: a commit that it does not see would leave what was before. */
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
