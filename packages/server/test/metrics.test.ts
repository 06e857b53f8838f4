import { expect, it } from 'vitest'
import { freshDirectory } from './cli-process.ts'
import { onEveryStore } from './on-every-store.ts'

const adminToken = 'admin_token_of_enough_characters'

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
      expect(value('service_database_bytes')).toBeGreaterThan(10_000)
      expect(value('service_process_memory_bytes')).toBeGreaterThan(1_000_000)
      expect(value('service_body_bytes_in_flight')).toBe(0)
      expect(value('service_body_bytes_limit')).toBeGreaterThan(1_000_000)
      expect(value('service_backup_age_seconds')).toBeLessThan(60)
      expect(value('service_event_loop_delay_seconds')).toBeGreaterThanOrEqual(0)
      expect(value('service_database_connections')).toEqual(store === 'postgres' ? 10 : Number.NaN)
    })
  },
  ['sqlite', 'postgres'],
)
