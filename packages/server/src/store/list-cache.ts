import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'
import { countChanges } from './row-cache.ts'
import type { Store } from './store.ts'

// One process owns a SQLite database, so it sees every change. List responses are cached as bytes until a commit may
// affect them. On PostgreSQL others may write at any time, so nothing is cached.

interface CachedList {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Changes with every commit that may affect the list. */
  readonly etag: string
}

export interface ListCache {
  answer(workspaceId: number, key: string, make: () => Promise<string>): Promise<CachedList>
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

/** Tables whose rows the lists of any workspace may show. */
const ofEveryWorkspace = new Set<string>(['users', 'workspaces'] satisfies (keyof Database)[])

const maxBytes = 16 * 1024 * 1024

/** Create it with the store, before the first write: responses cached before an unseen commit would stay stale. */
export function createListCache(store: Store): ListCache | undefined {
  if (store.dialect !== 'sqlite') return undefined
  const { versionOf } = countChanges(store, (table) => {
    if (table === undefined) return 'everything'
    if (inNoList.has(table)) return 'nothing'
    return ofEveryWorkspace.has(table) ? 'everything' : 'workspace'
  })
  // Versions of another process must not match, even if their numbers are the same.
  const process = randomBytes(6).toString('base64url')
  const cached = new Map<string, CachedList & { readonly version: string }>()
  let cachedBytes = 0
  const evict = (key: string) => {
    cachedBytes -= cached.get(key)?.bytes.length ?? 0
    cached.delete(key)
  }
  return {
    async answer(workspaceId, key, make) {
      const version = versionOf(workspaceId)
      const cacheKey = `${workspaceId} ${key}`
      const hit = cached.get(cacheKey)
      if (hit !== undefined && hit.version === version) return hit
      const bytes = new Uint8Array(Buffer.from(await make()))
      // A concurrent commit may or may not be in the response, so it is correct now but cannot be cached.
      if (version === undefined || versionOf(workspaceId) !== version)
        return { bytes, etag: `"${randomBytes(12).toString('base64url')}"` }
      const list = { bytes, version, etag: `"${process}-${version}"` }
      evict(cacheKey)
      cached.set(cacheKey, list)
      cachedBytes += bytes.length
      for (const oldest of cached.keys()) {
        if (cachedBytes <= maxBytes) break
        evict(oldest)
      }
      return list
    },
  }
}
