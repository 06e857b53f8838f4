import { resolve } from 'node:path'
import type { operationsAdminRoutes } from '@service/contract/admin/operations'
import type { App } from '../context.ts'
import { formatInstant, microsPerSecond } from '../core/clock.ts'
import { version } from '../core/version.ts'
import { deliveryGauges } from '../delivery/gauge-queries.ts'
import { deliveryPruning } from '../delivery/outbox/retention.ts'
import { reencrypt, rotateKey } from '../encryption/rotate-key.ts'
import { expiringAuditEntries } from '../modules/audit-log/service.ts'
import { backupDirectory, hoursBetween, lastBackupAt } from '../modules/backups/service.ts'
import { countWorkspaces } from '../modules/workspaces/service.ts'
import type { AdminHandlers } from '../route-handler.ts'
import { prune } from '../runtime/retention.ts'
import { databaseBytes, listTables } from '../store/database-facts.ts'
import { schemaStatus } from '../store/migrate.ts'

async function getSystem(app: App) {
  const { config, store } = app
  const { applied, pending } = await schemaStatus(store)
  const gauges = await deliveryGauges(app)
  const lastAt = await lastBackupAt(app)
  return {
    version,
    node: process.versions.node,
    database: {
      kind: store.dialect,
      size_bytes: await databaseBytes(store),
      directory: config.data === undefined ? null : resolve(config.data),
    },
    schema: { latest: applied.at(-1) ?? null, applied: applied.length, pending: pending.length },
    workspaces: await countWorkspaces(app),
    deliveries: {
      pending: gauges.service_deliveries_pending,
      overdue_seconds: gauges.service_delivery_overdue_seconds,
      failing_subscriptions: gauges.service_subscriptions_failing,
      disabled_subscriptions: gauges.service_subscriptions_disabled,
    },
    retention_days: retentionOf(config),
    backups: {
      directory: backupDirectory(app) ?? null,
      every_hours: hoursBetween(app) ?? null,
      keep: config.backupKeep,
      last_at: lastAt === undefined ? null : formatInstant(lastAt),
      age_seconds: lastAt === undefined ? null : Math.max(0, (app.clock.now() - lastAt) / microsPerSecond),
    },
  }
}

/** `inboundRetentionDays` → `inbound`. */
const retentionOf = (config: App['config']): Record<string, number | null> =>
  Object.fromEntries(
    Object.entries(config).flatMap(([name, days]) =>
      name.endsWith('RetentionDays')
        ? [[toSnake(name.slice(0, -'RetentionDays'.length)), typeof days === 'number' ? days : null]]
        : [],
    ),
  )

const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const systemAdminHandlers = {
  'system.get': getSystem,
  'encryptionKey.rotate': rotateKey,
  'encryptionKey.reencrypt': reencrypt,
  // Outside the transaction of the change: each batch has its own, so that writers never wait for the others.
  'system.prune': {
    async prepare(app: App) {
      const ofAuditLog = expiringAuditEntries(app).map((entries) => entries.prune)
      const pruned = await prune(app, [deliveryPruning(app), ...ofAuditLog])
      return async () => pruned
    },
  },
  'system.tables': async ({ store }) => ({ data: await listTables(store) }),
} satisfies Pick<
  AdminHandlers<typeof operationsAdminRoutes>,
  'system.get' | 'system.tables' | 'system.prune' | 'encryptionKey.rotate' | 'encryptionKey.reencrypt'
>
