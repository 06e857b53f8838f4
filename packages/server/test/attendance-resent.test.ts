import { expect, test } from 'vitest'
import { formatInstant, microsPerHour } from '../src/core/clock.ts'
import { listSessions, punch, seedSite } from './attendance-site.ts'
import { manualClock, testStart } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'

const directions = ['in', 'out', 'toggle'] as const
const kept = 200

/** The same punch for the same number: a device that sends its log again after a reconnection. */
const punchOf = (index: number) => ({
  direction: directions[index % directions.length],
  timestamp: formatInstant(testStart - (index + 1) * 2 * microsPerHour),
})

onEveryStore(
  'a device that sends its whole log again',
  (start) => {
    test('changes nothing with 1,000 old punches, and each is answered as a duplicate', async () => {
      const server = await start({ clock: manualClock(), rateLimit: 'off' })
      const site = await seedSite(server)
      for (let index = 0; index < kept; index += 1) await punch(server, site, punchOf(index))
      const look = async () => ({
        sessions: await listSessions(server, site.workspace.id),
        punches: (await server.admin.attendance.punches({ workspace: site.workspace.id }, { limit: kept })).data,
      })
      const before = await look()
      let duplicates = 0
      for (let sent = 0; sent < 1000; sent += 1) {
        const { body } = await punch(server, site, punchOf((sent * 7) % kept))
        if (body.duplicate === true) duplicates += 1
      }
      expect(duplicates).toBe(1000)
      expect(before.punches).toHaveLength(kept)
      expect(await look()).toEqual(before)
    })
  },
  ['memory'],
)
