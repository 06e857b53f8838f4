import { tableWrittenBy } from './change-signal.ts'
import type { Store } from './store.ts'

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
