import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatInstant, microsPerHour, microsPerMinute } from '../src/core/clock.ts'
import type { Server } from '../src/index.ts'
import { listSessions, punch, type Site, seedSite, sessionsOf } from './attendance-site.ts'
import { manualClock, testStart } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'

const step = fc.record({
  // Gaps at the limits of the rules, because random gaps would rarely hit them.
  gap: fc.constantFrom(0, 1, microsPerMinute, microsPerMinute + 1, 8 * microsPerHour, 16 * microsPerHour + 1),
  direction: fc.constantFrom('in', 'out', 'toggle'),
  external_device_id: fc.constantFrom('DOOR-1', 'DOOR-2', 'PHONE-1'),
})

const firstPunch = testStart - 20 * 24 * microsPerHour

/** Punches in order of time, and the same punches in another order of arrival. */
const arrivals = fc.array(step, { minLength: 2, maxLength: 10 }).chain((steps) => {
  let at = firstPunch
  const inOrder = steps.map(({ gap, ...fields }) => {
    at += gap
    return { ...fields, timestamp: formatInstant(at) }
  })
  return fc.record({
    inOrder: fc.constant(inOrder),
    shuffled: fc.shuffledSubarray(inOrder, { minLength: inOrder.length }),
  })
})

async function hire(server: Server, { workspace }: Site, code: string): Promise<number> {
  const workspace_id = workspace.id
  const { id: user_id } = await server.admin.members.create(
    { workspace: workspace_id },
    { name: code, email: `${code}@acme.example` },
  )
  return (await server.admin.employees.create({ workspace: workspace_id }, { user_id, employee_code: code })).id
}

onEveryStore('the order in which punches arrive', (start, store) => {
  test('does not change the attendance sessions', async () => {
    const server = await start({ rateLimit: 'off' })
    const site = await seedSite(server, { timeZone: 'Asia/Kolkata' })
    let employees = 0
    const sessionsFor = async (punches: readonly object[]) => {
      employees += 1
      const employee_code = `P-${employees}`
      const id = await hire(server, site, employee_code)
      for (const fields of punches) expect((await punch(server, site, { ...fields, employee_code })).status).toBe(200)
      return sessionsOf(server, site, id)
    }
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ inOrder, shuffled }) => {
        expect(await sessionsFor(shuffled)).toEqual(await sessionsFor(inOrder))
      }),
      { numRuns: store === 'memory' ? 30 : 5 },
    )
  })

  test('does not matter for concurrent punches of one employee', async () => {
    const server = await start({ rateLimit: 'off', clock: manualClock() })
    const site = await seedSite(server)
    const timestamps = Array.from({ length: 30 }, (_, hour) => formatInstant(firstPunch + hour * microsPerHour))
    const answers = await Promise.all(timestamps.map((timestamp) => punch(server, site, { timestamp })))
    expect(answers.map(({ status, body }) => [status, body.duplicate])).toEqual(timestamps.map(() => [200, false]))
    const pairs = Array.from({ length: 15 }, (_, pair) => [timestamps[2 * pair], timestamps[2 * pair + 1]])
    expect((await sessionsOf(server, site)).map((session) => [session.in, session.out])).toEqual(pairs)
  })
})

onEveryStore('a device that resends its log', (start, store) => {
  // A round trip to PostgreSQL takes ten times as long as an SQLite statement.
  const size = { memory: 1000, sqlite: 1000, postgres: 250 }[store]

  test('gets duplicates and changes nothing', async () => {
    const server = await start({ rateLimit: 'off' })
    const site = await seedSite(server)
    const log = Array.from({ length: size }, (_, index) => ({
      timestamp: formatInstant(firstPunch + index * 600_000_000),
    }))
    const recorded: unknown[] = []
    for (const fields of log) recorded.push((await punch(server, site, fields)).body)
    const before = await listSessions(server, site.workspace.id)
    expect(before).toHaveLength(size / 2)
    const resent: { duplicate: boolean; punch_id: number }[] = []
    for (const fields of log.toReversed()) resent.push((await punch(server, site, fields)).body)
    expect(resent.every(({ duplicate }) => duplicate)).toBe(true)
    expect(resent.map(({ punch_id }) => punch_id).reverse()).toEqual(
      recorded.map((answer) => (answer as { punch_id: number }).punch_id), // the shape was checked above
    )
    expect(await listSessions(server, site.workspace.id)).toEqual(before)
  })
})
