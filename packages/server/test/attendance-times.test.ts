import { expect, test } from 'vitest'
import { formatInstant, microsPerDay, microsPerMinute, microsPerSecond } from '../src/core/clock.ts'
import { punch, seedSite, sessionsOf, utc } from './attendance-site.ts'
import { testStart } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'

const noOffset = 'The timestamp field must have a UTC offset, e.g. 2026-11-20T09:00:00+01:00.'
const invalid = 'The timestamp field must be a valid ISO 8601 date-time with a UTC offset.'
const missing = 'The timestamp field must have a date, a time, and a UTC offset that exist.'
const otherFormat = 'The timestamp field must be in ISO 8601 format, e.g. 2026-11-20T09:00:00+01:00.'
const hourOffset = 'The timestamp field must have a UTC offset with minutes, e.g. 2026-11-20T09:00:00+01:00.'
const future = 'The timestamp field must not be more than 5 minutes in the future.'
const old = 'The timestamp field must not be older than 31 days.'

onEveryStore('the timestamp of a punch', (start) => {
  test('may have any offset and is kept to the microsecond', async () => {
    const server = await start()
    const site = await seedSite(server)
    const times = [
      ['2026-11-16T09:00:00+05:30', '2026-11-16T03:30:00.000000Z'],
      ['2026-11-17T09:00:00-07:00', '2026-11-17T16:00:00.000000Z'],
      ['2026-11-18T09:00:00Z', '2026-11-18T09:00:00.000000Z'],
      ['2026-11-19t09:00:00.123456789z', '2026-11-19T09:00:00.123456Z'],
      ['2026-11-20T00:30:00.5+14:00', '2026-11-19T10:30:00.500000Z'],
    ] as const
    for (const [timestamp, check_in_at] of times) {
      const { status, body } = await punch(server, site, { direction: 'in', timestamp })
      expect([timestamp, status, body.recorded]).toEqual([timestamp, 200, true])
      const timestampOfOut = new Date(Date.parse(check_in_at) + 120_000).toISOString()
      await punch(server, site, { direction: 'out', timestamp: timestampOfOut })
      expect([timestamp, body.check_in_at, body.check_out_at]).toEqual([timestamp, check_in_at, null])
    }
  })

  test('defaults to the time of the request', async () => {
    const server = await start()
    const site = await seedSite(server)
    for (const timestamp of [undefined, null]) {
      const { body } = await punch(server, site, { direction: 'in', timestamp })
      expect(body.check_in_at).toMatch(/^2026-11-20T18:51:53\.\d{6}Z$/)
    }
  })

  test('gets 422 without an offset or with a date or time that does not exist', async () => {
    const server = await start()
    const site = await seedSite(server)
    const refused = [
      ['2026-11-20T09:00:00', noOffset],
      ['2026-11-20T09:00', noOffset],
      ['2026-11-20T09:00:00+01', hourOffset],
      ['2026-11-20 09:00:00.5-05', hourOffset],
      ['2026-11-20T24:00:00Z', missing],
      ['2026-02-31T09:00:00Z', missing],
      ['2026-11-20T09:60:00Z', missing],
      ['2026-11-20T09:00:00+24:00', missing],
      ['2026-11-20T10:00:60Z', missing],
      ['2026-11-20T09:00:00+99:99', missing],
      ['2026-11-20 09:00:00Z', otherFormat],
      ['2026-11-20 09:00:00+00:00', otherFormat],
      ['20261120T0900Z', otherFormat],
      ['2026-11-20', invalid],
      ['1795200713123', invalid],
      ['Fri, 20 Nov 2026 09:00:00 GMT', invalid],
      ['', invalid],
    ] as const
    for (const [timestamp, sentence] of refused) {
      const { status, body } = await punch(server, site, { direction: 'in', timestamp })
      expect([timestamp, status, body]).toEqual([
        timestamp,
        422,
        { message: sentence, errors: { timestamp: [sentence] } },
      ])
    }
    expect((await server.admin.attendance.unmatched({ workspace: site.workspace.id })).data).toEqual([])
    expect(await sessionsOf(server, site)).toEqual([])
  })

  test('may be at most 5 minutes ahead and 31 days old', async () => {
    const server = await start()
    const site = await seedSite(server)
    const at = (micros: number) =>
      punch(server, site, { direction: 'in', timestamp: formatInstant(testStart + micros) })
    expect((await at(5 * microsPerMinute - microsPerSecond)).status).toBe(200)
    expect((await at(microsPerSecond - 31 * microsPerDay)).status).toBe(200)
    const tooLate = await at(5 * microsPerMinute + microsPerSecond)
    expect([tooLate.status, tooLate.body.errors]).toEqual([422, { timestamp: [future] }])
    const tooEarly = await at(-31 * microsPerDay - microsPerSecond)
    expect([tooEarly.status, tooEarly.body.errors]).toEqual([422, { timestamp: [old] }])
  })
})

onEveryStore('the day of an attendance session', (start) => {
  test('is the day of the check-in in the time zone of the workspace, also for a night shift', async () => {
    const server = await start()
    const site = await seedSite(server, { timeZone: 'Europe/Berlin' })
    await punch(server, site, { direction: 'in', timestamp: '2026-11-18T22:00:00+01:00' })
    await punch(server, site, { direction: 'out', timestamp: '2026-11-19T06:00:00+01:00' })
    await punch(server, site, { direction: 'in', timestamp: '2026-11-19T23:30:00Z' })
    expect(await sessionsOf(server, site)).toEqual([
      { in: utc('2026-11-18 21:00'), out: utc('2026-11-19 05:00'), day: '2026-11-18' },
      { in: utc('2026-11-19 23:30'), out: null, day: '2026-11-20' },
    ])
  })

  test('distinguishes the two occurrences of a repeated hour in autumn', async () => {
    const server = await start()
    const site = await seedSite(server, { timeZone: 'Europe/Berlin' })
    await punch(server, site, { direction: 'in', timestamp: '2026-10-24T22:00:00+02:00' })
    await punch(server, site, { direction: 'out', timestamp: '2026-10-25T02:30:00+02:00' })
    const again = await punch(server, site, { direction: 'in', timestamp: '2026-10-25T02:30:00+01:00' })
    await punch(server, site, { direction: 'out', timestamp: '2026-10-25T06:00:00+01:00' })
    expect(again.body.duplicate).toBe(false)
    expect(await sessionsOf(server, site)).toEqual([
      { in: utc('2026-10-24 20:00'), out: utc('2026-10-25 00:30'), day: '2026-10-24' },
      { in: utc('2026-10-25 01:30'), out: utc('2026-10-25 05:00'), day: '2026-10-25' },
    ])
  })
})
