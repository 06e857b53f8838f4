import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Hono } from 'hono'
import type { App } from '../context.ts'
import { microsPerSecond } from '../core/clock.ts'
import type { Gauge } from '../core/metrics.ts'
import { deliveryGauges } from '../delivery/gauges.ts'
import { lastBackupAt } from '../modules/backups/service.ts'
import { databaseBytes } from '../store/database-facts.ts'
import { adminLogin } from './admin-login.ts'
import type { RequestPipeline } from './request-pipeline.ts'

export function mountMetrics(hono: Hono, app: App, pipeline: RequestPipeline): void {
  const requireAdmin = adminLogin(app)
  const path = '/metrics'
  hono.get(
    path,
    pipeline.wrapHandler(path, async (c, context) => {
      await requireAdmin(c.req.raw, context.address)
      const json = app.metrics.toText({ ...(await deliveryGauges(app)), ...(await instanceGauges(app)) })
      return { status: 200, json, contentType: 'text/plain; version=0.0.4; charset=utf-8' }
    }),
  )
}

/** Gauges of the process and its database, read per scrape. */
async function instanceGauges(app: App): Promise<Record<string, Gauge>> {
  const { store, clock } = app
  const { rss, heapUsed } = process.memoryUsage()
  const delay = eventLoopDelay()
  const backupAt = await lastBackupAt(app)
  const pool = store.poolUse?.()
  return {
    service_process_memory_bytes: { help: 'Resident memory of the process.', value: rss },
    service_process_heap_bytes: { help: 'JavaScript heap in use.', value: heapUsed },
    service_event_loop_delay_seconds: { help: '99th percentile since the last scrape.', value: delay },
    service_database_bytes: { help: 'Size of the database.', value: await databaseBytes(store) },
    ...(pool && {
      service_database_connections: { help: 'Maximum size of the connection pool.', value: pool.size },
      service_database_connections_in_use: { help: 'Connections in use.', value: pool.inUse },
      service_database_connections_awaited: { help: 'Requests waiting for a connection.', value: pool.waiting },
    }),
    ...(backupAt !== undefined && {
      service_backup_age_seconds: {
        help: 'Seconds since the newest automatic backup.',
        value: Math.max(0, (clock.now() - backupAt) / microsPerSecond),
      },
    }),
  }
}

let histogram: ReturnType<typeof monitorEventLoopDelay> | undefined

/** Measured from the first scrape on, so servers without scrapes need no timer. */
function eventLoopDelay(): number {
  if (histogram === undefined) {
    histogram = monitorEventLoopDelay({ resolution: 20 })
    histogram.enable()
    return 0
  }
  const seconds = histogram.percentile(99) / 1e9
  histogram.reset()
  return seconds
}
