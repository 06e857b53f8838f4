import { type ConcernOf, countChanges } from './change-count.ts'
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
