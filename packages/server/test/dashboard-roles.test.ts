import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAtLeast } from '../src/core/admin-caller.ts'
import { dashboardRoutes } from '../src/http/dashboard.ts'
import { createServer, type Server } from '../src/index.ts'
import { examplesOf } from './dashboard-examples.ts'
import { signedInVisitor, type Visitor, visitor } from './dashboard-person.ts'
import { seedDemo } from './seed-demo.ts'

const roles = ['viewer', 'member', 'admin'] as const

let server: Server
let workspace: number
let fill: (path: string) => string
const people = new Map<string, Visitor>()

beforeAll(async () => {
  server = await createServer({ rateLimit: 'off' })
  workspace = await seedDemo(server.admin)
  fill = await examplesOf(server, workspace)
  for (const role of roles) people.set(role, await signedInVisitor(server, { workspace, role, name: role }))
  const other = await server.admin.workspaces.create({ name: 'Elsewhere' })
  people.set('stranger', await signedInVisitor(server, { workspace: other.id, role: 'owner', name: 'stranger' }))
  people.set('anonymous', visitor(server))
})
afterAll(() => server.close())

async function statusFor(who: string, { method, path }: (typeof dashboardRoutes)[number]): Promise<number> {
  const person = people.get(who)
  if (person === undefined) throw new Error(`There is no visitor ${who}.`)
  // The role is checked before the record is looked up.
  const anyOne = path.replace('{workspace}', String(workspace)).replace(/\{\w+\}/g, '1')
  const { status, body } = await (method === 'GET' ? person.get(fill(path)) : person.post(anyOne))
  // An export that is not read would keep its place.
  await body?.cancel()
  return status
}

const ofWorkspaces = dashboardRoutes.filter(({ path }) => path.startsWith('/dashboard/w/'))
const names = (routes: typeof dashboardRoutes) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const)

describe('each page of a workspace', () => {
  test.each(names(ofWorkspaces))('%s requires its role and membership', async (_, route) => {
    expect(await statusFor('stranger', route)).toBe(404)
    expect(await statusFor('anonymous', route)).toBe(303)
    const refused = roles.filter((role) => !isAtLeast(role, route.role))
    for (const role of refused) expect([role, await statusFor(role, route)]).toEqual([role, 403])
    const admitted = route.method === 'GET' ? roles.filter((role) => isAtLeast(role, route.role)) : []
    for (const role of admitted) expect([role, await statusFor(role, route)]).toEqual([role, 200])
  })
})

test('the first steps of a new workspace are those that the role allows', async () => {
  const { id } = await server.admin.workspaces.create({ name: 'New' })
  const stepsOf = async (role: (typeof roles)[number]) => {
    const person = await signedInVisitor(server, { workspace: id, role, name: `new-${role}` })
    const html = await (await person.get(`/dashboard/w/${id}/overview`)).text()
    return [...(/<ol class="steps">.*<\/ol>/s.exec(html)?.[0] ?? '').matchAll(/<a [^>]*>([^<]+)/g)].map(
      ([, name]) => name,
    )
  }
  expect(await stepsOf('viewer')).toEqual([])
  expect(await stepsOf('member')).toEqual(['Open a ticket'])
  expect(await stepsOf('admin')).toContain('Set SLA targets')
})

test.each([
  [
    '/projects',
    { name: 'Move', starts_at: '2026-11-20', due_at: '2026-11-19' },
    'The due field must not be before the start: choose a later due date, or an earlier start.',
  ],
  [
    '/automation/sla',
    { urgent_first_response_minutes: '60', urgent_resolution_minutes: '59' },
    'The resolution (urgent) field must not be less than the first response: enter more minutes, or a shorter first response.',
  ],
])('%s refuses an end before its beginning', async (path, fields, sentence) => {
  const answer = await people.get('admin')?.post(`/dashboard/w/${workspace}${path}`, fields)
  expect(answer?.status).toBe(422)
  expect(await answer?.text()).toContain(sentence)
})

describe('a refused form shows the errors of all its fields at once, with the focus on the first', () => {
  test.each([
    [
      '/webhooks',
      { url: 'ftp://x.example', headers: 'no colon', schedule: 'soon, -5' },
      ['events', 'headers', 'schedule', 'url'],
      'url',
    ],
    ['/automation/new', { do: 'save', name: '', trigger: 'ticket_created' }, ['actions', 'name'], 'name'],
    [
      '/automation/sla',
      { urgent_resolution_minutes: 'x', low_resolution_minutes: 'x' },
      ['low', 'urgent'],
      'urgent_resolution_minutes',
    ],
  ] as const)('%s', async (path, fields, expected, first) => {
    const answer = await people.get('admin')?.post(`/dashboard/w/${workspace}${path}`, fields)
    const html = (await answer?.text()) ?? ''
    expect(answer?.status).toBe(422)
    const wrong = [...html.matchAll(/class="field-error" id="error-([a-z]+)/g)].map(([, name]) => name)
    expect(wrong.toSorted()).toEqual(expected)
    expect(html).toContain(`${expected.length} fields have errors`)
    expect(focusedIn(html)).toEqual([first])
  })

  test.each([
    ['the group of a missing row', { action_count: '0' }, 'field-actions'],
    [
      'the control of a row',
      { action_count: '2', action_0_type: 'add_tag', action_0_tag: 'a', action_1_type: 'add_tag', action_1_tag: '' },
      'action_1_tag',
    ],
  ])('of a rule, %s', async (_, actions, first) => {
    const fields = {
      do: 'save',
      name: 'Tag',
      trigger: 'ticket_created',
      match: 'all',
      condition_count: '0',
      ...actions,
    }
    const answer = await people.get('admin')?.post(`/dashboard/w/${workspace}/automation/new`, fields)
    expect(answer?.status).toBe(422)
    expect(focusedIn((await answer?.text()) ?? '')).toEqual([first])
  })

  /** The names, or else ids, of what has the focus at first. */
  function focusedIn(html: string): (string | undefined)[] {
    const focused = [...html.matchAll(/<[^>]* autofocus[^>]*>/g)].map(([tag]) => tag)
    return focused.map((tag) => (/ name="([^"]+)"/.exec(tag) ?? / id="([^"]+)"/.exec(tag))?.[1])
  }
})

describe('each page of an account or of the server', () => {
  const others = dashboardRoutes.filter(({ path, role }) => !path.startsWith('/dashboard/w/') && role !== 'public')

  test.each(names(others))(
    '%s is for who has signed in, and that of the server for its administrators',
    async (_, route) => {
      expect(await statusFor('anonymous', route)).toBe(303)
      if (route.role === 'instance') expect(await statusFor('admin', route)).toBe(403)
    },
  )
})

test.each(roles)('the sidebar of a %s links only to pages that they may open', async (role) => {
  const html = (await (await people.get(role)?.get(`/dashboard/w/${workspace}/overview`))?.text()) ?? ''
  const links = [...html.matchAll(/class="nav-item" href="([^"]+)"/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(8)
  for (const link of links) expect([link, (await people.get(role)?.get(link))?.status]).toEqual([link, 200])
  expect(links.some((link) => link.endsWith('/tokens'))).toBe(role === 'admin')
})

test('an admin is offered no changes of owners, which only owners make', async () => {
  const { id } = await server.admin.workspaces.create({ name: 'Owned' })
  const owner = await signedInVisitor(server, { workspace: id, role: 'owner', name: 'olga' })
  const admin = await signedInVisitor(server, { workspace: id, role: 'admin', name: 'adi' })
  const member = await signedInVisitor(server, { workspace: id, role: 'member', name: 'mia' })
  const everyone = [owner, admin, member].map((person) => person.id)
  const offered = async (person: Visitor) => {
    const read = async (path: string) => (await person.get(`/dashboard/w/${id}/settings/${path}`)).text()
    const [list, form, token] = [await read('members'), await read('members/new'), await read('../tokens/new')]
    return {
      changed: everyone.filter((each) => list.includes(`commandfor="change-member-${each}"`)),
      roles: [list, form].map((html) => html.includes('value="owner"')),
      tokens: everyone.filter((each) => new RegExp(`<option[^>]* value="${each}"`).test(token)),
    }
  }
  expect(await offered(owner)).toEqual({ changed: everyone, roles: [true, true], tokens: everyone })
  const others = [admin.id, member.id]
  expect(await offered(admin)).toEqual({ changed: others, roles: [false, false], tokens: others })
})

test('a role that someone else has changed since the page was opened is not replaced', async () => {
  const { id } = await server.admin.workspaces.create({ name: 'Shared' })
  const owner = await signedInVisitor(server, { workspace: id, role: 'owner', name: 'oda' })
  const member = await signedInVisitor(server, { workspace: id, role: 'member', name: 'max' })
  const ref = { workspace: id, id: member.id }
  const list = `/dashboard/w/${id}/settings/members`
  const html = await (await owner.get(list)).text()
  const [dialog = ''] = new RegExp(`<dialog id="change-member-${member.id}".*?</dialog>`, 's').exec(html) ?? []
  const [, version = ''] = /name="version" value="([^"]*)"/.exec(dialog) ?? []
  await server.admin.members.update(ref, { role: 'viewer' })
  const late = await owner.submit(`${list}/${member.id}`, { role: 'admin', version })
  expect(await late.text()).toContain('Someone else has changed the role of max. Nothing was saved.')
  expect((await server.admin.members.get(ref)).role).toBe('viewer')
  const again = await owner.submit(`${list}/${member.id}`, { role: 'admin', version: 'viewer' })
  expect(await again.text()).toContain('max now has the role admin')
})
