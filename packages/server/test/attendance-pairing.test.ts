import { expect, test } from 'vitest'
import { microsPerMinute } from '../src/core/clock.ts'
import { punch, seedSite, sessionsOf, utc } from './attendance-site.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { queued } from './workspace.ts'

const day = '2026-11-19'
const at = (time: string) => ({ timestamp: `${day}T${time.length === 5 ? `${time}:00` : time}Z` })

onEveryStore('punches', (start) => {
  test('in and out make an attendance session with the documented answers and queue no event', async () => {
    const server = await start()
    const site = await seedSite(server)
    const came = await punch(server, site, { direction: 'in', ...at('09:00') })
    const result = { recorded: true, duplicate: false, user_id: site.member.id, device_id: site.front.id }
    const check_in_at = utc(`${day} 09:00`)
    expect([came.status, came.body]).toEqual([
      200,
      { ...result, action: 'check_in', check_in_at, check_out_at: null, punch_id: 1 },
    ])
    const went = await punch(server, site, { direction: 'out', ...at('17:00') })
    const check_out_at = utc(`${day} 17:00`)
    expect(went.body).toEqual({ ...result, action: 'check_out', check_in_at, check_out_at, punch_id: 2 })
    expect(await sessionsOf(server, site)).toEqual([{ in: check_in_at, out: check_out_at, day }])
    expect(await queued(server, site.workspace)).toEqual([])
  })

  test('toggle, which is the default, opens a session and closes the open one', async () => {
    const server = await start()
    const site = await seedSite(server)
    const actions: string[] = []
    for (const [time, direction] of [
      ['08:00', undefined],
      ['12:00', 'toggle'],
      ['13:00', 'in'],
      ['17:00', null],
    ] as const) {
      actions.push((await punch(server, site, { direction, ...at(time) })).body.action)
    }
    expect(actions).toEqual(['check_in', 'check_out', 'check_in', 'check_out'])
    expect(await sessionsOf(server, site)).toEqual([
      { in: utc(`${day} 08:00`), out: utc(`${day} 12:00`), day },
      { in: utc(`${day} 13:00`), out: utc(`${day} 17:00`), day },
    ])
  })

  test('repeated within 60 s on the same kind of device are duplicates of the first', async () => {
    const server = await start()
    const site = await seedSite(server)
    const first = (await punch(server, site, { direction: 'in', ...at('09:00') })).body
    const tapped = await punch(server, site, { direction: 'in', ...at('09:00:59') })
    const otherDoor = await punch(server, site, { direction: 'in', external_device_id: 'DOOR-2', ...at('09:01') })
    const sameAgain = await punch(server, site, { direction: 'in', ...at('09:00') })
    for (const { status, body } of [tapped, otherDoor, sameAgain]) {
      expect([status, body]).toEqual([200, { ...first, duplicate: true }])
    }
    // A repeated tap is stored; an identical punch is not.
    expect((await server.admin.punches.list({ workspace: site.workspace.id })).data).toHaveLength(3)
    const later = await punch(server, site, { direction: 'in', ...at('09:01:01') })
    expect(later.body).toMatchObject({ duplicate: false, action: 'check_in', check_in_at: first.check_in_at })
    const otherKind = await punch(server, site, { direction: 'in', external_device_id: 'PHONE-1', ...at('09:00:30') })
    expect(otherKind.body).toMatchObject({ duplicate: false, device_id: site.phone.id })
    expect(await sessionsOf(server, site)).toEqual([{ in: utc(`${day} 09:00`), out: null, day }])
  })

  test('at one instant count as one punch, whatever their direction or device', async () => {
    const server = await start()
    const site = await seedSite(server)
    const first = (await punch(server, site, { direction: 'in', ...at('09:00') })).body
    const out = await punch(server, site, { direction: 'out', ...at('09:00') })
    const phone = await punch(server, site, { direction: 'in', external_device_id: 'PHONE-1', ...at('09:00') })
    expect([out.body.duplicate, phone.body.duplicate]).toEqual([true, true])
    expect([out.body.punch_id, phone.body.punch_id]).toEqual([first.punch_id, first.punch_id])
    expect(await sessionsOf(server, site)).toEqual([{ in: utc(`${day} 09:00`), out: null, day }])
  })

  test('out without an in are orphans, and a second in changes nothing', async () => {
    const server = await start()
    const site = await seedSite(server)
    const orphan = await punch(server, site, { direction: 'out', ...at('07:00') })
    expect(orphan.body).toMatchObject({
      recorded: true,
      action: 'check_out',
      duplicate: false,
      check_in_at: null,
      check_out_at: utc(`${day} 07:00`),
    })
    await punch(server, site, { direction: 'in', ...at('09:00') })
    const second = await punch(server, site, { direction: 'in', ...at('10:00') })
    expect(second.body).toMatchObject({ duplicate: false, check_in_at: utc(`${day} 09:00`), check_out_at: null })
    await punch(server, site, { direction: 'out', ...at('17:00') })
    await punch(server, site, { direction: 'out', ...at('18:00') })
    expect(await sessionsOf(server, site)).toEqual([{ in: utc(`${day} 09:00`), out: utc(`${day} 17:00`), day }])
  })

  test('toggle starts a new session if the open one is older than 16 hours', async () => {
    const server = await start()
    const site = await seedSite(server)
    await punch(server, site, { timestamp: '2026-11-17T08:00:00Z' })
    const next = await punch(server, site, { timestamp: '2026-11-18T08:00:00Z' })
    expect(next.body.action).toBe('check_in')
    const exactly = await punch(server, site, { timestamp: '2026-11-19T00:00:00Z' })
    expect(exactly.body.action).toBe('check_out')
    expect(await sessionsOf(server, site)).toEqual([
      { in: utc('2026-11-17 08:00'), out: null, day: '2026-11-17' },
      { in: utc('2026-11-18 08:00'), out: utc('2026-11-19 00:00'), day: '2026-11-18' },
    ])
  })

  test('that arrive late repair the sessions that were paired without them', async () => {
    const server = await start()
    const site = await seedSite(server)
    const went = await punch(server, site, { direction: 'out', ...at('17:00') })
    expect(went.body.check_in_at).toBeNull()
    await punch(server, site, at('12:00'))
    await punch(server, site, at('13:00'))
    expect(await sessionsOf(server, site)).toEqual([{ in: utc(`${day} 12:00`), out: utc(`${day} 13:00`), day }])
    const came = await punch(server, site, { direction: 'in', ...at('09:00') })
    expect(came.body).toMatchObject({ check_in_at: utc(`${day} 09:00`), check_out_at: utc(`${day} 12:00`) })
    expect(await sessionsOf(server, site)).toEqual([
      { in: utc(`${day} 09:00`), out: utc(`${day} 12:00`), day },
      { in: utc(`${day} 13:00`), out: utc(`${day} 17:00`), day },
    ])
  })
})

onEveryStore('the hours of an employee', (start) => {
  test('count by the day of the check-in, with an open session until now', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const site = await seedSite(server)
    const { id: workspace } = site.workspace
    const { id } = site.employee
    await punch(server, site, { direction: 'in', timestamp: '2026-11-17T08:00:00Z' })
    await punch(server, site, { direction: 'in', timestamp: '2026-11-18T22:00:00Z' })
    await punch(server, site, { direction: 'out', timestamp: '2026-11-19T06:30:00Z' })
    await punch(server, site, { direction: 'in', timestamp: '2026-11-19T09:00:00Z' })
    await punch(server, site, { direction: 'out', timestamp: '2026-11-19T10:00:00Z' })
    await punch(server, site, { direction: 'in' })
    clock.advance(90 * microsPerMinute)
    const week = { from: '2026-11-16', to: '2026-11-22' }
    expect(await server.admin.attendance.hours({ workspace }, week)).toEqual({
      data: [
        {
          id,
          name: site.member.name,
          days: [
            // The check-out was forgotten.
            { day: '2026-11-17', worked_seconds: 0, checked_in: false, corrected: false },
            { day: '2026-11-18', worked_seconds: 30_600, checked_in: false, corrected: false },
            { day: '2026-11-19', worked_seconds: 3600, checked_in: false, corrected: false },
            { day: '2026-11-20', worked_seconds: 5400, checked_in: true, corrected: false },
          ],
        },
      ],
      next_before: null,
    })
    const hours = async (from: string, to: string) => {
      const { data } = await server.admin.attendance.hours({ workspace }, { from, to })
      return data[0]?.days.map(({ day }) => day)
    }
    expect(await hours('2026-11-18', '2026-11-19')).toEqual(['2026-11-18', '2026-11-19'])
    const errors = { to: ['The to field must be a day from the day of the from field to 30 days later.'] }
    await expect(hours('2026-11-01', '2026-12-02')).rejects.toMatchObject({ errors })
    await expect(hours('2026-11-02', '2026-11-01')).rejects.toMatchObject({ errors })
  })

  test('are 0 until a session of a device with a fast clock begins, and add to nothing else of the day', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const site = await seedSite(server)
    await punch(server, site, { direction: 'in', timestamp: '2026-11-20T08:00:00Z' })
    await punch(server, site, { direction: 'out', timestamp: '2026-11-20T12:00:00Z' })
    await punch(server, site, { direction: 'in', timestamp: '2026-11-20T18:56:00Z' })
    const friday = { from: '2026-11-20', to: '2026-11-20' }
    const hours = async () =>
      (await server.admin.attendance.hours({ workspace: site.workspace.id }, friday)).data[0]?.days
    expect(await hours()).toMatchObject([{ worked_seconds: 4 * 3600, checked_in: false }])
    clock.advance(14 * microsPerMinute)
    expect(await hours()).toMatchObject([{ worked_seconds: 4 * 3600 + 593, checked_in: true }])
  })
})
