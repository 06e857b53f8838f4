import type { AuditEntry, AuditFilters } from '@service/contract/admin/audit'
import type * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import { formatInstant, microsPerDay, parseInstantOrUndefined } from '../../core/clock.ts'
import { type FoundRows, mapRows, type Page } from '../../core/pagination.ts'
import type { ExpiringRecords } from '../../runtime/retention.ts'
import { inTransaction } from '../../store/transaction.ts'
import * as queries from './queries.ts'

export type { NewAuditEntry } from './queries.ts'

/** Records a change in the transaction that made it. */
export async function addToAuditLog(app: TxApp, { before, after, ...entry }: queries.NewAuditEntry): Promise<void> {
  await queries.insertEntry(app.db, { ...entry, before_json: before, after_json: after, at: app.clock.now() })
}

type Filters = z.output<typeof AuditFilters>

/** Audit entries, newest first, of one workspace or of the whole instance. */
export async function listEntries(
  app: App,
  workspaceId: number | undefined,
  { limit, before, ...filters }: Page & Filters,
): Promise<FoundRows<AuditEntry>> {
  const rows = await queries.listEntries(app.store, toSelection(workspaceId, filters), { limit, before })
  return mapRows(rows, toEntry)
}

const exportBatchSize = 200

/**
 * All entries in batches, oldest first. Entries added while it runs come last. A batch reads a bounded number of entries, and is
 * empty if none of them matches, so that other requests run before the next one.
 */
export async function* eachEntry(
  app: App,
  workspaceId: number | undefined,
  filters: Filters,
): AsyncGenerator<readonly AuditEntry[]> {
  const selection = toSelection(workspaceId, filters)
  let after = 0
  for (;;) {
    const end = await queries.findEndOfBatch(app.db, workspaceId, { after, count: exportBatchSize })
    const upTo = end ?? Number.MAX_SAFE_INTEGER
    const rows = await queries.listBetween(app.db, selection, { after, upTo })
    yield rows.map(toEntry)
    if (end === undefined) return
    after = end
  }
}

const toSelection = (workspaceId: number | undefined, { actor, operation, since, until }: Filters) => ({
  workspaceId,
  actor,
  operation,
  since: parseInstantOrUndefined(since),
  until: parseInstantOrUndefined(until),
})

function toEntry({ before_json, after_json, at, ...row }: queries.AuditRow): AuditEntry {
  return { ...row, at: formatInstant(at), before: parseState(before_json), after: parseState(after_json) }
}

const parseState = (json: string | null): Record<string, unknown> | null => (json === null ? null : JSON.parse(json))

const pruneBatchSize = 500

/** Entries past the configured retention. Without that setting, none expire. */
export function expiringAuditEntries(app: App): readonly ExpiringRecords[] {
  const days = app.config.auditRetentionDays
  if (days === undefined) return []
  const retentionPeriod = days * microsPerDay
  return [
    {
      async dueAt() {
        const oldest = await queries.findOldest(app.db)
        return oldest === undefined ? undefined : oldest.at + retentionPeriod
      },
      prune: (now) =>
        inTransaction(app, async ({ db }) => {
          await queries.markRemovable(db, now - retentionPeriod)
          const removed = await queries.deleteBatch(db, now - retentionPeriod, pruneBatchSize)
          return { removed, more: removed === pruneBatchSize }
        }),
    },
  ]
}
