import type { App } from '../../context.ts'
import { type Micros, microsPerMinute } from '../../core/clock.ts'
import { describeFault } from '../../core/log.ts'
import { withoutCapture } from '../../core/request-capture.ts'
import type { Db } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { inTransaction } from '../../store/transaction.ts'

interface Used {
  /** e.g. `token 7`. */
  readonly name: string
  readonly lastUsedAt: Micros | null
  /** Whose it is, where it is a workspace's. */
  readonly workspaceId?: number
}

const beingNoted = new WeakMap<Store, Set<string>>()

/** At most one write a minute, and no request waits for it; those that come before it is done leave it at that. */
export function noteUse(
  app: App,
  { name, lastUsedAt, workspaceId }: Used,
  write: (db: Db, at: Micros) => Promise<unknown>,
): void {
  const now = app.clock.now()
  // One that lies ahead was noted before the machine's clock was set back.
  if (lastUsedAt !== null && Math.abs(now - lastUsedAt) <= microsPerMinute) return
  const noting = beingNoted.get(app.store) ?? new Set()
  beingNoted.set(app.store, noting)
  if (noting.has(name)) return
  noting.add(name)
  withoutCapture(() => inTransaction({ ...app, workspaceId }, (app) => write(app.db, now)))
    .catch((fault: unknown) => {
      app.log.warn(`The last use of ${name} could not be noted.`, describeFault(fault))
    })
    .finally(() => noting.delete(name))
}
