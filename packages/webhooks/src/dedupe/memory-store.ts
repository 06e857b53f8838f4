import { requireTypes } from '../require-options.ts'
import type { DedupeStore } from './store.ts'

interface Entry {
  readonly token: string
  readonly isDone: boolean
  readonly expiresAt: number
}

/** Creates a store for one process, or for tests. Keeps the newest `maxEntries` (default: 100,000) until a restart. */
export function memoryStore(options: { readonly maxEntries?: number | undefined } = {}): DedupeStore {
  requireTypes(options, { maxEntries: 'a number' }, 'memoryStore option')
  const { maxEntries = 100_000 } = options
  const entries = new Map<string, Entry>()

  // A map keeps insertion order, so deleting an entry first makes it the newest.
  const write = (key: string, entry: Entry) => {
    entries.delete(key)
    entries.set(key, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries) break
      entries.delete(oldest)
    }
  }

  return {
    claim({ key, token, now, leaseMs }) {
      const entry = entries.get(key)
      if (entry && entry.expiresAt > now) return entry.isDone ? 'done' : 'busy'
      write(key, { token, isDone: false, expiresAt: now + leaseMs })
      return 'claimed'
    },
    commit({ key, token, now, ttlMs }) {
      if (entries.get(key)?.token === token) write(key, { token, isDone: true, expiresAt: now + ttlMs })
    },
    release({ key, token }) {
      const entry = entries.get(key)
      if (entry?.token === token && !entry.isDone) entries.delete(key)
    },
  }
}
