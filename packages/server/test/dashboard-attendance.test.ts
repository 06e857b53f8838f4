import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { type Site, seedSite } from './attendance-site.ts'
import { signedInVisitor, type Visitor } from './dashboard-person.ts'
import { manualClock } from './manual-clock.ts'

let server: Server
let site: Site
let admin: Visitor
let home: string

beforeAll(async () => {
  server = await createServer({ clock: manualClock(), rateLimit: 'off' })
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
