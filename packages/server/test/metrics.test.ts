import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { type MetricDescription, metricTable } from '../src/core/metric-table.ts'
import { createMetrics } from '../src/core/metrics.ts'
import { createServer } from '../src/index.ts'
import { collectedLog } from './collected-log.ts'
import { freshDirectory } from './fresh-directory.ts'
import { onEveryStore } from './on-every-store.ts'
import { signedIn } from './people.ts'

const adminToken = 'admin_token_of_enough_characters'
const metricsToken = 'metrics_token_of_enough_characters'

type Running = Pick<Awaited<ReturnType<typeof createServer>>, 'fetch'>

async function scrape({ fetch }: Running, token = adminToken): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch('https://service.test/metrics', { headers })).text()
}

const typesIn = (text: string) =>
  Object.fromEntries([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]))

onEveryStore(
  'metrics',
  (start, store) => {
    it('cover requests, the delivery queue, the database, memory, and backups', async () => {
      const server = await start({ adminToken, backupDirectory: await freshDirectory() })
      const { url } = await server.listen({ port: 0 })
      await server.admin.backups.create()
      const headers = { authorization: `Bearer ${adminToken}` }
      await fetch(`${url}/metrics`, { headers })
      const text = await (await fetch(`${url}/metrics`, { headers })).text()
      const value = (name: string) => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1])
      expect(value('service_http_request_seconds_count')).toBeGreaterThanOrEqual(1)
      expect(value('service_delivery_attempt_seconds_count')).toBe(0)
      expect(value('service_deliveries_pending')).toBe(0)
      expect(value('service_leases_lost_total')).toBe(0)
      expect(value('service_database_readable')).toBe(1)
      expect(value('service_database_writable')).toBe(1)
      expect(value('service_database_bytes')).toBeGreaterThan(10_000)
      expect(value('service_process_memory_bytes')).toBeGreaterThan(1_000_000)
      expect(value('service_process_cpu_seconds_total')).toBeGreaterThan(0)
      expect(value('service_disk_free_bytes')).toBeGreaterThan(0)
      expect(value('service_http_requests_waiting')).toBe(0)
      expect(value('service_body_bytes_in_flight')).toBe(0)
      expect(value('service_body_bytes_limit')).toBeGreaterThan(1_000_000)
      expect(value('service_backup_age_seconds')).toBeLessThan(60)
      expect(value('service_event_loop_delay_seconds')).toBeGreaterThanOrEqual(0)
      expect(value('service_database_connections')).toEqual(store === 'postgres' ? 10 : Number.NaN)
    })

    it('has every metric of the table with its type before the first backup and attempt, and no other', async () => {
      const data = store === 'sqlite' ? { data: await freshDirectory() } : {}
      const server = await start({ adminToken, backupDirectory: join(await freshDirectory(), 'backups'), ...data })
      await server.listen({ port: 0 })
      await scrape(server)
      const text = await scrape(server)
      const expected = Object.entries<MetricDescription>(metricTable).filter(
        ([, { only }]) => only === undefined || (only === 'PostgreSQL') === (store === 'postgres'),
      )
      expect(typesIn(text)).toEqual(Object.fromEntries(expected.map(([name, { type }]) => [name, type])))
      expect(new Set(text.match(/(?<=[{,])\w+(?==")/g))).toEqual(
        new Set(['version', 'method', 'route', 'status', 'le', 'outcome']),
      )
    })
  },
  ['sqlite', 'postgres'],
)

test('attempts are counted by outcome, and combinations of labels beyond the limit are counted together', () => {
  const metrics = createMetrics()
  for (const [outcome, durationMs] of [
    ['ok', 20],
    ['status', 700],
    ['ok', 3],
  ] as const)
    metrics.attempt(outcome, durationMs)
  for (let at = 0; at < 6000; at += 1) metrics.request({ method: 'GET', route: `/${at}`, status: 200, durationMs: 1 })
  metrics.request({ method: 'GET', route: '/0', status: 200, durationMs: 1 })
  const lines = metrics.toText({}).split('\n')
  const samplesOf = (name: string) => lines.filter((line) => line.startsWith(`${name}{`))
  expect(samplesOf('service_delivery_attempts_total')).toEqual([
    'service_delivery_attempts_total{outcome="ok"} 2',
    'service_delivery_attempts_total{outcome="status"} 1',
  ])
  expect(samplesOf('service_delivery_attempt_seconds_bucket')).toContain(
    'service_delivery_attempt_seconds_bucket{le="0.025"} 2',
  )
  const requests = samplesOf('service_http_requests_total')
  expect(requests).toHaveLength(5001)
  expect(requests[0]).toBe('service_http_requests_total{method="GET",route="/0",status="200"} 2')
  expect(requests.at(-1)).toBe('service_http_requests_total{method="other",route="other",status="other"} 1000')
})

test('the metrics token reads /metrics and nothing else', async () => {
  await using server = await createServer({ adminToken, metricsToken })
  expect(await scrape(server, metricsToken)).toContain('service_build_info{version="')
  expect(await scrape(server, `${metricsToken}x`)).toBe('{"message":"Unauthenticated."}')
  const headers = { authorization: `Bearer ${metricsToken}` }
  for (const path of ['/admin/v1/workspaces', '/admin/v1/backups', '/api/v1/workspaces/1/tickets'])
    expect((await server.fetch(`https://service.test${path}`, { headers })).status).toBe(401)
})

test('a metrics token in a file is replaced without a restart', async () => {
  const metricsTokenFile = join(await freshDirectory(), 'metrics-token')
  const write = (token: string) => writeFileSync(metricsTokenFile, `${token}\n`, { mode: 0o600 })
  write(metricsToken)
  await using server = await createServer({ metricsTokenFile })
  expect(await scrape(server, metricsToken)).toContain('service_build_info')
  write(`${metricsToken}_2`)
  expect(await scrape(server, metricsToken)).toContain('Unauthenticated')
  expect(await scrape(server, `${metricsToken}_2`)).toContain('service_build_info')
})

test('a token file that cannot be read ends its own token and no other, and is logged once by each API that reads it', async () => {
  const folder = await freshDirectory()
  const files = { adminTokenFile: join(folder, 'admin'), metricsTokenFile: join(folder, 'metrics') }
  writeFileSync(files.adminTokenFile, adminToken, { mode: 0o600 })
  writeFileSync(files.metricsTokenFile, metricsToken, { mode: 0o600 })
  const log = collectedLog()
  await using server = await createServer({ ...files, log })
  const person = await signedIn(server, 'Ada', { isInstanceAdmin: true })
  const statusWith = async (token: string, path: string) =>
    (await server.fetch(`https://service.test${path}`, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await statusWith(adminToken, '/admin/v1/workspaces')).toBe(200)
  for (const [file, name] of [
    [files.adminTokenFile, 'admin token'],
    [files.metricsTokenFile, 'metrics token'],
  ] as const) {
    writeFileSync(file, '')
    expect(await statusWith(adminToken, '/admin/v1/workspaces')).toBe(401)
    expect(await statusWith(person.token, '/admin/v1/workspaces')).toBe(200)
    expect(await statusWith(metricsToken, '/metrics')).toBe(name === 'admin token' ? 200 : 401)
    expect(log.lines.filter(({ level }) => level === 'error').at(-1)?.sentence).toContain(`The ${name} is refused.`)
  }
  await statusWith(adminToken, '/metrics')
  expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(3)
  writeFileSync(files.adminTokenFile, adminToken)
  expect(await statusWith(adminToken, '/admin/v1/workspaces')).toBe(200)
})

test('the metrics token must not be the admin token', async () => {
  await expect(createServer({ adminToken, metricsToken: adminToken })).rejects.toThrow(
    'metricsToken must differ from adminToken, which may do everything.',
  )
})

test('callers cannot add lines to /metrics with unknown paths and methods', async () => {
  await using server = await createServer({ adminToken, rateLimit: 'off' })
  const ask = (path: string, method = 'GET') => server.fetch(`https://service.test${path}`, { method })
  await Promise.all([ask('/a', 'ODD'), ask('/api/v1/workspaces/1/odd')])
  const before = (await scrape(server)).split('\n').length
  for (let at = 0; at < 50; at += 1)
    await Promise.all([ask(`/a${at}`, `ODD${at}`), ask(`/api/v1/workspaces/${at}/odd`)])
  const after = await scrape(server)
  // The first scrape was not counted yet.
  expect(after.split('\n').length - before).toBeLessThanOrEqual(1)
  expect(after).toContain('service_http_requests_total{method="other",route="unknown",status="404"} 51')
})
