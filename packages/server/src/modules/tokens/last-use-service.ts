import type { App } from '../../context.ts'
import { type Micros, microsPerMinute } from '../../core/clock.ts'
import { ApiError } from '../../core/errors.ts'
import { describeFault } from '../../core/log.ts'
import { withoutCapture } from '../../core/request-capture.ts'
import type { Db } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { inTransaction } from '../../store/transaction.ts'

interface Credential {
  /** For example `token 7`. */
  readonly name: string
  readonly lastUsedAt: Micros | null
  /** Set for a workspace's token. */
  readonly workspaceId?: number
}

const pendingWrites = new WeakMap<Store, Set<string>>()

/** Writes at most once a minute, and no request waits for the write. Calls during a pending write are ignored. */
export function recordLastUse(
  app: App,
  { name, lastUsedAt, workspaceId }: Credential,
  write: (db: Db, at: Micros) => Promise<unknown>,
): void {
  const now = app.clock.now()
  // A later timestamp was written before the system clock was set back.
  if (lastUsedAt !== null && Math.abs(now - lastUsedAt) <= microsPerMinute) return
  const running = pendingWrites.get(app.store) ?? new Set()
  pendingWrites.set(app.store, running)
  if (running.has(name)) return
  running.add(name)
  withoutCapture(() => inTransaction({ ...app, workspaceId }, (app) => write(app.db, now)))
    .catch((fault: unknown) => {
      // The store reports an outage once, and this would report it for every request.
      if (fault instanceof ApiError && fault.code === 'unavailable') return
      app.log.warn(`Could not store the last use of ${name}.`, describeFault(fault))
    })
    .finally(() => running.delete(name))
}
