import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'
import { countChanges } from './kept-rows.ts'
import type { Store } from './store.ts'

// One process owns a SQLite database, so it knows of every change. What a list has answered is kept as bytes until
// something is committed that may concern it, and is not asked of the database again. With PostgreSQL others may write
// at any time: there nothing is kept.

interface KeptAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Changes with every change that may concern the list. */
  readonly etag: string
}

export interface ListCache {
  answer(workspaceId: number, key: string, make: () => Promise<string>): Promise<KeptAnswer>
}

/** No list of the REST API shows anything of these, and some of them change at each request or all the time. */
const inNoList = new Set<string>([
  'api_tokens',
  'audit_log',
  'audit_retention',
  'automation_runs',
  'deliveries',
  'delivery_attempts',
  'delivery_jobs',
  'delivery_queues',
  'error_group_days',
  'error_samples',
  'events',
  'git_deliveries',
  'idempotency_keys',
  'inbound_deliveries',
  'one_time_links',
  'operation_marks',
  'personal_tokens',
  'sessions',
  'subscription_events',
  'subscriptions',
  'ticket_history',
  'ticket_search',
  'unrouted_events',
] satisfies (keyof Database)[])

const mostBytes = 16 * 1024 * 1024

/** Made with the store, before anything is written: a commit that it does not see would leave it with what was before. */
export function createListCache(store: Store): ListCache | undefined {
  if (store.dialect !== 'sqlite') return undefined
  const { versionOf } = countChanges(store, (table) =>
    table !== undefined && inNoList.has(table) ? 'nothing' : 'workspace',
  )
  // The versions of another process are not ours, even if they have the same numbers.
  const process = randomBytes(6).toString('base64url')
  const kept = new Map<string, KeptAnswer & { readonly version: string }>()
  let keptBytes = 0
  const forget = (key: string) => {
    keptBytes -= kept.get(key)?.bytes.length ?? 0
    kept.delete(key)
  }
  return {
    async answer(workspaceId, key, make) {
      const version = versionOf(workspaceId)
      const place = `${workspaceId} ${key}`
      const known = kept.get(place)
      if (known !== undefined && known.version === version) return known
      const bytes = new Uint8Array(Buffer.from(await make()))
      // What was committed meanwhile may be in the answer or not: it is right now, and not known to be right later.
      if (version === undefined || versionOf(workspaceId) !== version)
        return { bytes, etag: `"${randomBytes(12).toString('base64url')}"` }
      const made = { bytes, version, etag: `"${process}-${version}"` }
      forget(place)
      kept.set(place, made)
      keptBytes += bytes.length
      for (const oldest of kept.keys()) {
        if (keptBytes <= mostBytes) break
        forget(oldest)
      }
      return made
    },
  }
}
