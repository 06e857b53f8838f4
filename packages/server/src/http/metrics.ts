import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Hono } from 'hono'
import type { App } from '../context.ts'
import { describeFault } from '../core/log.ts'
import type { Readings } from '../core/metrics.ts'
import { version } from '../core/version.ts'
import { deliveryGauges } from '../delivery/gauge-queries.ts'
import { backupAgeSeconds, backupDirectory } from '../modules/backups/service.ts'
import { databaseBytes } from '../store/database-facts.ts'
import { databaseFileName } from '../store/directory-lock.ts'
import { nearestExisting } from '../store/nearest-existing.ts'
import { metricsLogin } from './admin-login.ts'
import { metricsPath, type RequestPipeline } from './request-pipeline.ts'

export function mountMetrics(hono: Hono, app: App, pipeline: RequestPipeline): void {
  const requireReader = metricsLogin(app)
  hono.get(
    metricsPath,
    pipeline.wrapHandler(metricsPath, async (c, context) => {
      await requireReader(c.req.raw, context.address)
      const text = app.metrics.toText({ ...processReadings(), ...(await diskReadings(app)), ...(await readStore(app)) })
      return {
        kind: 'text',
        status: 200,
        text,
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      }
    }),
  )
}

function processReadings(): Readings {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    service_build_info: { labels: [version], value: 1 },
    service_process_memory_bytes: rss,
    service_process_heap_bytes: heapUsed,
    service_process_cpu_seconds_total: (user + system) / 1e6,
    service_event_loop_delay_seconds: eventLoopDelay(),
  }
}

/** A scrape succeeds during an outage of the database, so that alerts can name it. */
async function readStore(app: App): Promise<Readings> {
  const { store, log } = app
  const { canRead, canWrite } = await store.health()
  const pool = store.poolUse?.()
  const always = {
    service_database_readable: Number(canRead),
    service_database_writable: Number(canWrite),
    ...(pool && {
      service_database_connections: pool.size,
      service_database_connections_in_use: pool.inUse,
      service_database_connections_awaited: pool.waiting,
    }),
  }
  if (!canRead) return always
  const queried = await queryReadings(app).catch((fault: unknown) => {
    log.warn('A scrape of /metrics lacks the figures of the database.', describeFault(fault))
    return {}
  })
  return { ...always, ...queried }
}

async function queryReadings(app: App): Promise<Readings> {
  const backupAge = await backupAgeSeconds(app)
  return {
    ...(await deliveryGauges(app)),
    service_database_bytes: await databaseBytes(app.store),
    ...(backupAge === undefined ? {} : { service_backup_age_seconds: backupAge }),
  }
}

async function diskReadings(app: App): Promise<Readings> {
  const { data, databaseUrl } = app.config
  const onDisk = databaseUrl === undefined ? data : undefined
  const directory = onDisk ?? backupDirectory(app)
  const disk = directory === undefined ? undefined : await statfs(nearestExisting(directory)).catch(() => undefined)
  const wal =
    onDisk === undefined ? undefined : await stat(join(onDisk, `${databaseFileName}-wal`)).catch(() => undefined)
  return {
    ...(disk && {
      service_disk_bytes: disk.blocks * disk.bsize,
      service_disk_free_bytes: disk.bavail * disk.bsize,
    }),
    ...(wal && { service_database_wal_bytes: wal.size }),
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
