import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'
import { countChanges } from './kept-rows.ts'
import type { Store } from './store.ts'

// One process owns a SQLite database, so it sees every change. List responses are cached as bytes until a commit may
// affect them. On PostgreSQL others may write at any time, so nothing is cached.

interface KeptAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Changes with every commit that may affect the list. */
  readonly etag: string
}

export interface ListCache {
  answer(workspaceId: number, key: string, make: () => Promise<string>): Promise<KeptAnswer>
}

/** Tables that no list of the REST API shows. Some of them change on every request or continuously. */
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

/** Create it with the store, before the first write: responses cached before an unseen commit would stay stale. */
export function createListCache(store: Store): ListCache | undefined {
  if (store.dialect !== 'sqlite') return undefined
  const { versionOf } = countChanges(store, (table) =>
    table !== undefined && inNoList.has(table) ? 'nothing' : 'workspace',
  )
  // Versions of another process must not match, even if their numbers are the same.
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
      // A concurrent commit may or may not be in the response, so it is correct now but cannot be cached.
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
