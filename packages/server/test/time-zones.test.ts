import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'

onEveryStore('a time zone', (start) => {
  /** The stored name of a zone, or the message of the refusal. */
  async function store(time_zone: string) {
    const { admin } = await start()
    const created = await admin.workspaces.create({ name: 'Northwind', time_zone }).safe()
    return created.ok ? (await admin.workspaces.get({ workspace: created.data.id })).time_zone : created.error.message
  }
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/BERLIN', 'Europe/Berlin'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['US/Pacific', 'America/Los_Angeles'],
    ['Singapore', 'Asia/Singapore'],
    ['Zulu', 'UTC'],
    ['etc/utc', 'UTC'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
  ])('%s is stored as %s', async (given, stored) => {
    expect(await store(given)).toBe(stored)
  })

  test.each(['+05:30', '-08', 'PST', 'ist', 'SystemV/PST8', 'Mars/Base', 'UTC+2', 'Europe/Rome ', ''])(
    '%j is refused',
    async (given) => {
      expect(await store(given)).toContain('The time_zone field must be an IANA time zone such as Europe/Berlin.')
    },
  )

  test('is stored under its IANA name after a change, too', async () => {
    const { admin } = await start()
    const { id: workspace } = await admin.workspaces.create({ name: 'Northwind' })
    expect((await admin.workspaces.update({ workspace }, { time_zone: 'asia/saigon' })).time_zone).toBe(
      'Asia/Ho_Chi_Minh',
    )
  })

  test('of every name that the runtime knows is a fixed point', async () => {
    const { admin } = await start()
    const { id: workspace } = await admin.workspaces.create({ name: 'Northwind' })
    for (const time_zone of Intl.supportedValuesOf('timeZone')) {
      const changed = await admin.workspaces.update({ workspace }, { time_zone })
      const again = await admin.workspaces.update({ workspace }, { time_zone: changed.time_zone })
      expect(again.time_zone).toBe(changed.time_zone)
    }
  })
})
