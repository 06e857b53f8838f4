import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatInstant, microsPerMinute } from '../src/core/clock.ts'
import { createServer, type Server } from '../src/index.ts'
import { type Site, seedSite } from './attendance-site.ts'
import { signedInVisitor, type Visitor } from './dashboard-person.ts'
import { manualClock } from './manual-clock.ts'

const clock = manualClock()
let server: Server
let site: Site
let admin: Visitor
let home: string

beforeAll(async () => {
  server = await createServer({ clock, rateLimit: 'off' })
  site = await seedSite(server, { timeZone: 'America/New_York' })
  home = `/dashboard/w/${site.workspace.id}/attendance`
  admin = await signedInVisitor(server, { workspace: site.workspace.id, role: 'admin' })
})

afterAll(async () => {
  await server.close()
})

const newest = async () => {
  const [punch] = (await server.admin.punches.list({ workspace: site.workspace.id }, { limit: 1 })).data
  if (punch === undefined) throw new Error('No punch is stored.')
  return punch
}

const get = async (id: number) => server.admin.punches.get({ workspace: site.workspace.id, id })

const addPunch = async (fields: Record<string, string>) => {
  const answer = await admin.submit(`${home}/punches`, {
    employee_id: String(site.employee.id),
    direction: 'in',
    at: '2026-11-19T09:00',
    reason: 'Forgot the card',
    ...fields,
  })
  return { status: answer.status, text: await answer.text() }
}

test('a punch is added with its time in the zone of the workspace, and its reason', async () => {
  const added = await addPunch({})
  expect(added.status).toBe(200)
  expect(added.text).toContain('Punch added')
  const punch = await newest()
  expect(punch).toMatchObject({
    at: '2026-11-19T14:00:00.000000Z',
    offset_minutes: -300,
    action: 'check_in',
    reason: 'Forgot the card',
  })
  const day = await (await admin.get(`${home}?day=2026-11-19`)).text()
  expect(day).toMatch(new RegExp(`<a href="${home}/punches/${punch.id}/edit"[^>]*>09:00</a>`))
})

test('the page says that an added or corrected punch is a duplicate, which does not count', async () => {
  await addPunch({ at: '2026-11-05T09:00' })
  const said = 'It is a duplicate of the punch at 09:00 and does not count.'
  expect((await addPunch({ at: '2026-11-05T09:01' })).text).toContain(`Punch added. ${said}`)
  const { id } = await newest()
  const correct = async (time: string) => {
    const fields = { at: `2026-11-05T${time}`, direction: 'in', reason: 'Typed wrong' }
    return (await admin.submit(`${home}/punches/${id}`, fields)).text()
  }
  expect(await correct('09:05')).not.toContain('duplicate of')
  expect(await correct('09:01')).toContain(`Punch corrected. ${said}`)
})

test.each([
  [
    '2026-03-08T02:30',
    '2026-03-08T07:30:00.000000Z',
    'Punch added. 02:30 did not exist in America/New_York on 2026-03-08. 03:30 was taken.',
  ],
  [
    '2026-11-01T01:30',
    '2026-11-01T05:30:00.000000Z',
    'Punch added. 01:30 occurred twice in America/New_York on 2026-11-01. The first one was taken.',
  ],
])(
  '%s, which a change of the clocks makes ambiguous, is read as in webhooks, and the page says so',
  async (at, instant, notice) => {
    const added = await addPunch({ at })
    expect((await newest()).at).toBe(instant)
    expect(added.text).toContain(notice)
  },
)

test('a punch without a reason is refused and the input is kept', async () => {
  const refused = await addPunch({ at: '2026-11-18T08:15', reason: '' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('The reason field is required.')
  expect(refused.text).toContain('value="2026-11-18T08:15"')
})

test('a corrected punch keeps its original in the list, struck through, with the time', async () => {
  await addPunch({ at: '2026-11-17T09:00' })
  const { id } = await newest()
  const form = { at: '2026-11-17T08:30', at_before: '2026-11-17T09:00', direction: 'in' }
  const refused = await admin.post(`${home}/punches/${id}`, { ...form, reason: '' })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain(site.employee.user.name)
  await admin.submit(`${home}/punches/${id}`, { ...form, reason: 'The clock was late' })
  expect(await get(id)).toMatchObject({ at: '2026-11-17T13:30:00.000000Z', reason: 'The clock was late' })
  const list = await (await admin.get(`${home}/punches`)).text()
  expect(list).toMatch(/<s><time [^>]*>17 Nov, 09:00<\/time><\/s>/)
  expect(list).toMatch(/<time [^>]*>17 Nov, 08:30<\/time>/)
})

test('a change of direction alone keeps the seconds of the time', async () => {
  const at = '2026-11-16T14:00:42.000000Z'
  const given = { employee_id: site.employee.id, direction: 'in', at, reason: 'Forgot the card' } as const
  const { id } = await server.admin.punches.create({ workspace: site.workspace.id }, given)
  const form = { at: '2026-11-16T09:00', at_before: '2026-11-16T09:00', direction: 'out', reason: 'She left' }
  await admin.submit(`${home}/punches/${id}`, form)
  expect(await get(id)).toMatchObject({ at, direction: 'out' })
})

test('a punch is deleted only with a reason, and stays in the list', async () => {
  await addPunch({ at: '2026-11-13T09:00' })
  const { id } = await newest()
  expect((await admin.post(`${home}/punches/${id}/delete`, { reason: '' })).status).toBe(422)
  expect((await get(id)).voided_at).toBeNull()
  const answer = await admin.submit(`${home}/punches/${id}/delete`, { reason: 'Not her card' })
  expect(await answer.text()).toContain('Punch deleted')
  expect(await get(id)).toMatchObject({ voided_at: expect.any(String), reason: 'Not her card' })
  expect((await admin.post(`${home}/punches/${id}/delete`, { reason: 'Again' })).status).toBe(409)
})

test('members see times without links to corrections', async () => {
  const member = await signedInVisitor(server, { workspace: site.workspace.id, role: 'member', name: 'Ben' })
  const day = await (await member.get(`${home}?day=2026-11-19`)).text()
  expect(day).toContain('09:00')
  expect(day).not.toContain('/edit')
  expect((await member.get(`${home}/punches/new`)).status).toBe(403)
})

test('of two administrators who edit one punch, the second is asked, and sees what the first has stored', async () => {
  await addPunch({ at: '2026-11-12T09:00' })
  const { id } = await newest()
  const second = await signedInVisitor(server, { workspace: site.workspace.id, role: 'admin', name: 'Grace' })
  const versionOf = async (person: Visitor) =>
    /name="version" value="([^"]+)"/
      .exec(await (await person.get(`${home}/punches/${id}/edit`)).text())?.[1]
      ?.replaceAll('&quot;', '"') ?? ''
  const [first, old] = [await versionOf(admin), await versionOf(second)]
  const form = { at_before: '2026-11-12T09:00', direction: 'in' }
  await admin.post(`${home}/punches/${id}`, { ...form, at: '2026-11-12T08:30', reason: 'Fast clock', version: first })

  const own = { ...form, at: '2026-11-12T09:00', direction: 'out', reason: 'She left', version: old }
  const refused = await second.post(`${home}/punches/${id}`, own)
  expect(refused.status).toBe(412)
  const text = await refused.text()
  expect(text).toContain('Someone else has changed this record.')
  expect(text).toContain('Stored now: <strong dir="auto">2026-11-12T08:30</strong>')
  expect(text).toContain('Stored now: <strong dir="auto">Fast clock</strong>')
  expect(await get(id)).toMatchObject({ at: '2026-11-12T13:30:00.000000Z', direction: 'in' })

  // The time in the form is now a change, although it is the one that the form has opened with.
  expect(text).toContain('name="at_before" value="2026-11-12T08:30"')
  await second.post(`${home}/punches/${id}`, {
    ...own,
    at_before: '2026-11-12T08:30',
    version: await versionOf(second),
  })
  expect(await get(id)).toMatchObject({ at: '2026-11-12T14:00:00.000000Z', direction: 'out' })
})

test('the page of a replaced or deleted punch says so instead of opening a form', async () => {
  await addPunch({ at: '2026-11-11T09:00' })
  const { id } = await newest()
  const form = { at: '2026-11-11T08:00', at_before: '2026-11-11T09:00', direction: 'in', reason: 'Fast clock' }
  await admin.submit(`${home}/punches/${id}`, form)
  const original = await newest()
  expect(original.replaced_by).toBe(id)
  const replaced = await (await admin.get(`${home}/punches/${original.id}/edit`)).text()
  expect(replaced).toContain('is the original of a correction')
  expect(replaced).toContain(`href="${home}/punches/${id}/edit"`)
  expect(replaced).not.toContain('name="reason"')

  await admin.post(`${home}/punches/${id}/delete`, { reason: 'Not her card' })
  for (const page of ['edit', 'delete']) {
    const deleted = await (await admin.get(`${home}/punches/${id}/${page}`)).text()
    expect(deleted).toContain('was deleted')
    expect(deleted).toContain('Not her card')
    expect(deleted).not.toContain('name="reason"')
  }
  const late = await admin.post(`${home}/punches/${id}`, { ...form, reason: 'Too late' })
  expect(late.status).toBe(409)
  const kept = await late.text()
  expect(kept).toContain('was deleted')
  expect(kept).toMatch(/What you wrote[\s\S]*Too late/)
})

test('a punch can be added for each of 250 employees, the code tells two of one name apart, and the oldest is seen to be in', async () => {
  for (let number = 1; number <= 250; number += 1)
    await server.admin.employees.create(
      { workspace: site.workspace.id },
      { name: 'Sam Same', email: `sam${number}@people.example`, employee_code: `S-${number}` },
    )
  const page = await (await admin.get(`${home}/punches/new`)).text()
  expect(page.match(/<option [^>]*>Sam Same \(S-\d+\)<\/option>/g)).toHaveLength(250)
  expect(page).toContain(site.employee.user.name)
  const at = formatInstant(clock.now() - microsPerMinute)
  const punch = { employee_id: site.employee.id, direction: 'in', at, reason: 'Forgot the card' } as const
  await server.admin.punches.create({ workspace: site.workspace.id }, punch)
  const overview = await (await admin.get(`/dashboard/w/${site.workspace.id}/overview`)).text()
  expect(overview).toMatch(new RegExp(`1 of more than 200.*${site.employee.user.name}`, 's'))
})

describe('the hours of a day', () => {
  const nightShift = ['in 2026-11-13T22:00-05:00', 'out 2026-11-14T06:00-05:00']
  const oneInAhead = ['in 2026-11-20T09:00-05:00', 'out 2026-11-20T13:00-05:00', 'in 2026-11-20T13:55-05:00']
  test.each([
    ['a night shift', nightShift, '2026-11-13', '22:00–06:00 · 8 h'],
    ['the day after a night shift', nightShift, '2026-11-14', '22:00–06:00 (began Fri 13 Nov)'],
    ['a forgotten Out', ['in 2026-11-17T03:30-05:00'], '2026-11-17', '03:30–no Out · 0 min'],
    ['the day after a forgotten Out', ['in 2026-11-17T03:30-05:00'], '2026-11-18', '–'],
    ['an open session of today', ['in 2026-11-20T09:50-05:00'], '2026-11-20', '09:50–now · 4 h 1 min'],
    ['an In some minutes ahead', oneInAhead, '2026-11-20', '09:00–13:00, 13:55–no Out · 4 h'],
  ])('of %s are those of the week on the pages of the day and of the employee', async (_, punches, day, shown) => {
    const night = await createServer({ clock: manualClock(), rateLimit: 'off' })
    const { workspace, employee } = await seedSite(night, { timeZone: 'America/New_York' })
    for (const each of punches) {
      const [direction, at = ''] = each.split(' ')
      const given = {
        employee_id: employee.id,
        direction: direction === 'in' ? 'in' : 'out',
        at,
        reason: 'No card',
      } as const
      await night.admin.punches.create({ workspace: workspace.id }, given)
    }
    const reader = await signedInVisitor(night, { workspace: workspace.id, role: 'member', name: 'Ben' })
    const asides = async (path: string) =>
      [
        ...(await (await reader.get(`/dashboard/w/${workspace.id}${path}`)).text()).matchAll(
          /hours-aside">(.*?)<\/span><\/li>/gs,
        ),
      ].map(([, aside = '']) => aside.replace(/<span class="sr">.*?<\/span>|<[^>]*>|,(?= 13 Nov)/g, ''))
    expect(await asides(`/attendance?day=${day}`)).toEqual([shown])
    expect((await asides(`/employees/${employee.id}?until=${day}`))[0]).toBe(shown)
    await night.close()
  })
})

test('without employees or devices, the page of a new punch says what it needs, and a punch sent anyway is refused with the reason', async () => {
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Empty' })
  const person = await signedInVisitor(server, { workspace, role: 'admin', name: 'Eve' })
  const path = `/dashboard/w/${workspace}/attendance/punches`
  const page = async () => (await person.get(`${path}/new`)).text()
  expect(await page()).toContain('No employees yet')
  const profile = { name: 'Bo', email: 'bo@empty.example' }
  const employee = await server.admin.employees.create({ workspace }, profile)
  expect(await page()).toContain(`href="/dashboard/w/${workspace}/attendance/devices/new"`)
  const punch = { employee_id: String(employee.id), direction: 'in', at: '2026-11-19T09:00', reason: 'No card' }
  const unnamed = await person.post(path, { ...punch, employee_id: '' })
  expect(await unnamed.text()).toContain('Choose an employee.')
  const refused = await person.post(path, punch)
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('must be a device of the workspace, which has none. Add a device first.')
  await server.admin.devices.create({ workspace }, { source_type: 'manual', device_name: 'By hand' })
  expect(await page()).toContain('name="employee_id"')
  expect((await person.post(path, punch)).status).toBeLessThan(400)
})
