import { createClient } from '@service/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { microsPerDay, toDay } from '../src/core/clock.ts'
import { createServer, type Server } from '../src/index.ts'
import { signedInVisitor, visitor } from './dashboard-person.ts'
import { manualClock } from './manual-clock.ts'
import { createPerson, goodPassword } from './people.ts'
import { seedWorkspace } from './workspace.ts'

let server: Server
let workspace: number

beforeAll(async () => {
  server = await createServer({ rateLimit: 'off' })
  workspace = (await server.admin.workspaces.create({ name: 'Northwind' })).id
})
afterAll(() => server.close())

describe('signing in to the dashboard', () => {
  test('redirects to the requested page and sets a host-only cookie', async () => {
    const { email } = await createPerson(server, 'Bea')
    const bea = visitor(server)
    const asked = await bea.get('/dashboard/account?x=1')
    expect([asked.status, asked.headers.get('location')]).toEqual([
      303,
      '/dashboard/sign-in?to=%2Fdashboard%2Faccount%3Fx%3D1',
    ])
    const answer = await bea.post('/dashboard/sign-in', {
      email,
      password: goodPassword,
      to: '/dashboard/account?x=1',
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/account?x=1'])
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(
      /^__Host-service_session=service_session_[\w-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/dashboard\\evil',
    '/admin',
    '/dashboard/../evil',
    '/dashboard/%2e%2E/evil',
  ])('does not lead to %s', async (to) => {
    const { email } = await createPerson(server, `Cem${to.length}`)
    const answer = await visitor(server).post('/dashboard/sign-in', { email, password: goodPassword, to })
    expect(answer.headers.get('location')).toBe('/dashboard')
  })

  test('gives the same error for a wrong address and a wrong password, and keeps the address', async () => {
    const { email } = await createPerson(server, 'Dan')
    for (const tried of [email, 'unknown@people.example']) {
      const answer = await visitor(server).post('/dashboard/sign-in', { email: tried, password: 'wrong password' })
      const html = await answer.text()
      expect(answer.status).toBe(401)
      expect(html).toContain('The e-mail address or the password is wrong.')
      expect(html).toContain(`value="${tried}"`)
      expect(html).not.toContain('wrong password"')
    }
  })

  test('ends with sign-out, which deletes the session, not only the cookie', async () => {
    const eva = await signedInVisitor(server, { workspace, role: 'viewer', name: 'Eva' })
    const { token } = await server.admin.sessions.create({ email: eva.email, password: goodPassword })
    expect((await eva.post('/dashboard/sign-out')).headers.get('location')).toBe('/dashboard/sign-in')
    expect((await eva.get(`/dashboard/w/${workspace}/tickets`)).status).toBe(303)
    const left = await server.fetch('/admin/v1/sessions', { headers: { authorization: `Bearer ${token}` } })
    expect((await left.json()).data).toHaveLength(1)
  })
})

test('a form names what was deleted meanwhile by its word', async () => {
  const gus = await signedInVisitor(server, { workspace, role: 'member', name: 'Gus' })
  const html = await (
    await gus.post(`/dashboard/w/${workspace}/tasks`, { title: 'Call', project_id: '4711', status: 'todo' })
  ).text()
  expect(html).toContain('The selected project is not in this workspace.')
  expect(html).not.toContain('The selected project_id')
})

describe('what was written in a form', () => {
  const written = {
    title: 'Call Ada',
    description: 'About the invoice\nof <May>',
    password: 'two words',
    headers: 'Authorization: a token',
  }

  test.each([
    ['its record is deleted', 404, async (id: number) => server.admin.tasks.delete({ workspace, id })],
    [
      'the person becomes a viewer',
      403,
      async (_id: number, person: number) => server.admin.members.update({ workspace, id: person }, { role: 'viewer' }),
    ],
    [
      'the session ends',
      401,
      async (_id: number, person: number) => server.admin.users.update({ id: person }, { disabled: true }),
    ],
  ])('is shown if %s before it is sent (%i)', async (_, status, happen) => {
    const fay = await signedInVisitor(server, { workspace, role: 'member', name: `Fay${status}` })
    const { id } = await server.admin.tasks.create({ workspace }, { title: 'Call' })
    await happen(id, fay.id)
    const answer = await fay.post(`/dashboard/w/${workspace}/tasks/${id}`, written)
    const html = await answer.text()
    expect(answer.status).toBe(status)
    expect(html).toContain('Call Ada')
    expect(html).toContain('About the invoice\nof &lt;May&gt;')
    expect(html).not.toMatch(/two words|a token/)
  })
})

describe('cross-origin requests', () => {
  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour on the domain', { 'sec-fetch-site': 'same-site' }],
    ['another origin, by an old browser', { origin: 'https://evil.example' }],
    ['nowhere', {}],
  ])('a form from %s is refused', async (_, headers) => {
    const answer = await server.fetch('/dashboard/sign-in', { method: 'POST', body: new URLSearchParams(), headers })
    expect(answer.status).toBe(403)
  })

  test('accept a form of an old browser from a page of this server', async () => {
    const headers = { origin: server.origin }
    const answer = await server.fetch('/dashboard/sign-in', { method: 'POST', body: new URLSearchParams(), headers })
    expect(answer.status).toBe(422)
  })

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])('%s is no form', async (type) => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type }
    expect((await server.fetch('/dashboard/sign-in', { method: 'POST', body: '{}', headers })).status).toBe(415)
  })

  test('pages are compressed, but no responses to forms, which may contain secrets', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const page = await server.fetch('/dashboard/sign-in', { headers })
    expect(page.headers.get('content-encoding')).toBe('gzip')
    const response = await server.fetch('/dashboard/sign-in', { method: 'POST', headers, body: new URLSearchParams() })
    expect(response.headers.get('content-encoding')).toBeNull()
  })

  test('the content security policy forbids other origins, inline code, and frames', async () => {
    const { headers } = await visitor(server).get('/dashboard/sign-in')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store'])
  })
})

describe('API tokens', () => {
  test('are created once per form, shown once, work, and stop working when revoked', async () => {
    const admin = await signedInVisitor(server, { workspace, role: 'admin', name: 'Fay' })
    const form = new URLSearchParams({ name: 'Import', user_id: String(admin.id), form_key: 'a-key-of-this-form' })
    form.append('scopes', 'tickets:read')
    form.append('expires_in', '90')
    const blank = await (await admin.get(`/dashboard/w/${workspace}/tokens/new`)).text()
    form.append('opened_at', /name="opened_at" value="(\d+)"/.exec(blank)?.[1] ?? '')
    const created = await admin.post(`/dashboard/w/${workspace}/tokens`, form)
    const html = await created.text()
    const [, token = ''] = /<code id="token">([^<]+)<\/code>/.exec(html) ?? []
    expect([created.status, created.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(await (await admin.post(`/dashboard/w/${workspace}/tokens`, form)).text()).toContain(token)
    const { data } = await server.admin.tokens.list({ workspace })
    expect(data.filter(({ name }) => name === 'Import')).toHaveLength(1)
    form.set('expires_in', '9'.repeat(15))
    form.set('form_key', 'a-key-of-another-form')
    expect((await admin.post(`/dashboard/w/${workspace}/tokens`, form)).status).toBe(422)

    const client = createClient({ baseUrl: `${server.origin}/api/v1`, workspace, token, fetch: server.fetch })
    expect(await client.tickets.list()).toEqual([])
    const list = await (await admin.get(`/dashboard/w/${workspace}/tokens`)).text()
    expect(list).toContain('Import')
    expect(list).not.toContain(token)
    const revoked = await admin.submit(`/dashboard/w/${workspace}/tokens/${data[0]?.id}/revoke`)
    expect(await revoked.text()).toContain('Import is revoked')
    await expect(client.tickets.list()).rejects.toMatchObject({ code: 'authentication' })
  })

  test('are hidden from members', async () => {
    const member = await signedInVisitor(server, { workspace, role: 'member', name: 'Gil' })
    const answer = await member.get(`/dashboard/w/${workspace}/tokens`)
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('This page needs the role admin; yours is member.')
  })
})

test.each([
  ['Pacific/Auckland', '2026-11-20T18:00:00Z', '2026-11-21'],
  ['Pacific/Auckland', '2026-11-21T10:59:59.5Z', '2026-11-21'],
  // Midnight does not exist, because clocks go from 24:00 to 01:00.
  ['America/Santiago', '2026-09-06T03:59:59.5Z', '2026-09-05'],
  // The last hour of the day occurs twice.
  ['America/Santiago', '2026-04-05T03:30:00Z', '2026-04-04'],
])('a filter by day finds what happened then in %s at %s', async (time_zone, at, day) => {
  const own = await createServer({ clock: manualClock(Date.parse(at) * 1000) })
  onTestFinished(() => own.close())
  const { id } = await own.admin.workspaces.create({ name: 'Southwind', time_zone })
  const kiri = await signedInVisitor(own, { workspace: id, role: 'admin', name: 'Kiri' })
  await own.admin.projects.create({ workspace: id }, { name: 'Move' })
  const shows = async (query: string) =>
    (await (await kiri.get(`/dashboard/w/${id}/settings/audit?${query}`)).text()).includes('created project')
  const [before, after] = [-1, 1].map((days) => toDay(Date.parse(day) * 1000 + days * microsPerDay))
  expect([await shows(`since=${day}`), await shows(`until=${day}`)]).toEqual([true, true])
  expect([await shows(`since=${after}`), await shows(`until=${before}`)]).toEqual([false, false])
})

test('a day that does not exist is refused by its field', async () => {
  const ann = await signedInVisitor(server, { workspace, role: 'admin', name: 'Ann' })
  const { id } = await server.admin.webhooks.create({ workspace }, { url: 'https://app.test/in', events: ['*'] })
  const refusals = [
    await ann.post('/dashboard/account/tokens', { name: 'Backup', expires_at: '2027-02-30' }),
    await ann.get(`/dashboard/w/${workspace}/webhooks/${id}/recover?since=2027-02-30`),
    await ann.get(`/dashboard/w/${workspace}/settings/audit?until=2027-02-30`),
  ]
  for (const refusal of refusals) {
    expect(refusal.status).toBe(422)
    expect(await refusal.text()).toMatch(/The [\w, ]+ field must be a valid date and time/)
  }
})

describe('tickets', () => {
  test('can be created, and a refused form keeps the input', async () => {
    const member = await signedInVisitor(server, { workspace, role: 'member', name: 'Hal' })
    const wrong = await member.post(`/dashboard/w/${workspace}/tickets`, { title: '', description: '<b>It breaks</b>' })
    const html = await wrong.text()
    expect(wrong.status).toBe(422)
    expect(html).toContain('The title field is required.')
    expect(html).toContain('&lt;b&gt;It breaks&lt;/b&gt;')
    expect(html).toMatch(/id="field-title" name="title" aria-invalid="true" aria-describedby="error-title" autofocus/)
    const made = await member.submit(`/dashboard/w/${workspace}/tickets`, { title: 'Printer on fire' })
    expect(await made.text()).toContain('Printer on fire')
  })

  test('are not overwritten if another person has changed them', async () => {
    const member = await signedInVisitor(server, { workspace, role: 'member', name: 'Ida' })
    const { id } = await server.admin.tickets.create({ workspace }, { title: 'Slow search' })
    const edit = await (await member.get(`/dashboard/w/${workspace}/tickets/${id}/edit`)).text()
    const version = (/name="version" value="([^"]+)"/.exec(edit)?.[1] ?? '').replaceAll('&quot;', '"')
    await server.admin.tickets.update({ workspace, id }, { priority: 'urgent' })
    const path = `/dashboard/w/${workspace}/tickets/${id}`
    const late = await member.post(path, { title: 'Slower search', priority: 'low', version })
    expect(late.status).toBe(412)
    const html = await late.text()
    expect(html).toContain('Someone else has changed this record.')
    expect(html).toContain('value="Slower search"')
    const next = (/name="version" value="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&quot;', '"')
    expect((await member.post(path, { title: 'Slower search', priority: 'low', version: next })).status).toBe(303)
    expect(await server.admin.tickets.get({ workspace, id })).toMatchObject({ title: 'Slower search', priority: 'low' })
  })

  test('are saved if the form is sent twice', async () => {
    const member = await signedInVisitor(server, { workspace, role: 'member', name: 'Una' })
    const { id } = await server.admin.tickets.create({ workspace }, { title: 'Slow search', tags: ['slow'] })
    const path = `/dashboard/w/${workspace}/tickets/${id}`
    const edit = await (await member.get(`${path}/edit`)).text()
    const version = (/name="version" value="([^"]+)"/.exec(edit)?.[1] ?? '').replaceAll('&quot;', '"')
    const form = { title: 'Slower search', description: '', priority: 'low', tags: 'slow, search', due_at: '', version }
    for (const _ of [1, 2]) expect((await member.post(path, form)).status).toBe(303)
    expect((await member.post(path, { ...form, priority: 'high' })).status).toBe(412)
  })

  test('of another workspace are not found', async () => {
    const stranger = await signedInVisitor(server, { workspace, role: 'owner', name: 'Jan' })
    const other = (await server.admin.workspaces.create({ name: 'Elsewhere' })).id
    const { id } = await server.admin.tickets.create({ workspace: other }, { title: 'Not yours' })
    for (const path of [`/w/${other}/tickets`, `/w/${other}/tickets/${id}`, `/w/${workspace}/tickets/${id}`]) {
      const answer = await stranger.get(`/dashboard${path}`)
      expect(answer.status).toBe(404)
      expect(await answer.text()).not.toContain('Not yours')
    }
  })
})

test('the refresh of an open page leaves a notice for the page that follows', async () => {
  const at = { workspace: (await server.admin.workspaces.create({ name: 'Eastwind' })).id }
  const nia = await signedInVisitor(server, { ...at, role: 'admin', name: 'Nia' })
  const home = `/dashboard/w/${at.workspace}`
  const answer = await nia.post(`${home}/projects`, { name: 'Move' })
  const to = answer.headers.get('location') ?? ''
  const refreshed = await nia.get(`${home}/projects`, { 'hx-request': 'refresh' })
  expect([refreshed.headers.get('x-part'), refreshed.headers.get('x-notice')]).toEqual(['page', null])
  expect(await (await nia.get(to)).text()).toContain('Move is created')
})

test('a secret is replaced once by a form, also if the page of its answer is reloaded', async () => {
  const at = { workspace: (await server.admin.workspaces.create({ name: 'Westwind' })).id }
  const kim = await signedInVisitor(server, { ...at, role: 'admin', name: 'Kimber' })
  const device = await server.admin.devices.create(at, { source_type: 'zkteco', device_name: 'Door' })
  const hook = await server.admin.webhooks.create(at, { url: 'https://hooks.example/x', events: ['*'] })
  for (const [page, form] of [
    [`attendance/devices/${device.id}`, '/secret'],
    ['integrations/errors', ''],
    ['lead-sources/website', '/secret'],
    [`webhooks/${hook.id}`, '/rotate'],
  ]) {
    const path = `/dashboard/w/${at.workspace}/${page}`
    const html = await (await kim.get(path)).text()
    const [, fields = ''] = new RegExp(`action="${path}${form}"([\\s\\S]*?)</form>`).exec(html) ?? []
    const [, form_key = ''] = /name="form_key" value="([^"]+)"/.exec(fields) ?? []
    const send = async () => (await kim.post(`${path}${form}`, { form_key, overlap: '24' })).text()
    const secretIn = (answer: string) => /<code id="(?:device-)?secret">([^<]+)</.exec(answer)?.[1]
    const shown = secretIn(await send())
    expect([page, shown]).toEqual([page, expect.stringMatching(/^wh\w+_/)])
    expect([page, secretIn(await send())]).toEqual([page, shown])
  }
})

test('amounts are shown in the workspace currency', async () => {
  const { workspace, token } = await seedWorkspace(server, { name: 'Southwind' })
  const { id } = workspace
  const home = `/dashboard/w/${id}`
  const account = await server.admin.accounts.create({ workspace: id }, { name: 'Contoso' })
  const deal = await server.admin.deals.create(
    { workspace: id },
    { title: 'Second depot', amount: 38_000, account_id: account.id },
  )
  await server.admin.leadSources.rotateSecret({ workspace: id, source: 'website' })
  const { crm } = createClient({
    baseUrl: `${server.origin}/api/v1`,
    workspace: id,
    token,
    fetch: server.fetch,
  })
  const lead = await crm.leads.create({ name: 'Lin', source: 'website', estimated_value: 38_000 })
  const owner = await signedInVisitor(server, { workspace: id, role: 'owner', name: 'Olga' })
  const pages = [
    '/deals',
    '/deals?view=list',
    `/deals/${deal.id}`,
    `/accounts/${account.id}`,
    '/leads',
    `/leads/${lead.id}`,
  ]
  const amountsOn = async (path: string) => {
    const html = await (await owner.get(home + path)).text()
    return [...new Set([...html.matchAll(/[^\s>]*38,000[^\s<]*/g)].map(([amount]) => amount))]
  }
  for (const path of pages) expect([path, await amountsOn(path)]).toEqual([path, ['38,000.00']])
  for (const [currency, shown] of [
    ['EUR', '€38,000.00'],
    ['JPY', 'JP¥38,000'],
  ] as const) {
    const settings = await (
      await owner.submit(`${home}/settings`, { name: 'Southwind', time_zone: 'UTC', currency })
    ).text()
    expect(settings).toMatch(new RegExp(`<option dir="auto" value="${currency}" selected`))
    for (const path of pages) expect([path, await amountsOn(path)]).toEqual([path, [shown]])
    expect(await (await owner.get(`${home}/deals/new`)).text()).toContain(`In ${currency}, for example 12,500.00.`)
  }
  await owner.post(`${home}/settings`, { name: 'Southwind', time_zone: 'UTC', currency: '' })
  expect(await server.admin.workspaces.get({ workspace: id })).toMatchObject({ currency: null })
})

describe('behind a proxy with a prefix', () => {
  test('every link has the prefix', async () => {
    const prefixed = await createServer({ publicUrl: 'https://example.com/platform' })
    const { id } = await prefixed.admin.workspaces.create({ name: 'Northwind' })
    const owner = await signedInVisitor(prefixed, { workspace: id, role: 'owner', name: 'Kim' })
    const html = await (await owner.get(`/dashboard/w/${id}/tickets`)).text()
    const links = [...html.matchAll(/ (?:href|src|action)="([^"#]+)/g)].map(([, link]) => link)
    expect(links.length).toBeGreaterThan(8)
    expect(links.filter((link) => link?.startsWith('/platform/dashboard') !== true)).toEqual([])
    await prefixed.close()
  })
})

test('an amount is read as its hint says, and anything else is refused at its field with the input kept', async () => {
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Amounts' })
  const member = await signedInVisitor(server, { workspace, role: 'member', name: 'Amos' })
  const send = (amount: string) =>
    member.post(`/dashboard/w/${workspace}/deals`, { title: amount, stage: 'prospecting', amount })
  for (const amount of ['12,500.00', '12 500', '0.5']) await send(amount)
  for (const amount of ['12,50', '12.500,00', '1.500', '1e3', '0.005']) {
    const refused = await send(amount)
    expect([amount, refused.status]).toEqual([amount, 422])
    const html = await refused.text()
    expect(html).toContain('id="error-amount"')
    expect(html).toContain(`id="field-amount" name="amount"`)
    expect(html).toContain(`value="${amount}"`)
  }
  const { data } = await server.admin.deals.list({ workspace })
  expect(data.map(({ title, amount }) => [title, amount])).toEqual([
    ['0.5', '0.50'],
    ['12 500', '12500.00'],
    ['12,500.00', '12500.00'],
  ])
})

test('links to addresses and telephone numbers name no other recipient', async () => {
  const ada = await signedInVisitor(server, { workspace, role: 'member', name: 'Link' })
  const hrefs = async (path: string) =>
    (await (await ada.get(`/dashboard/w/${workspace}${path}`)).text()).match(/(?:mailto|tel):[^"]*/g)
  const email = 'lea?bcc=spy&cc=o%40x@example.com'
  const link = 'mailto:lea%3Fbcc%3Dspy%26cc%3Do%2540x@example.com'
  const lead = { name: 'Lea', source: 'website', email, phone: '+1 310 555;phone-context=x' }
  const { id } = await server.admin.leads.create({ workspace }, lead)
  expect(await hrefs(`/leads/${id}`)).toEqual([link, 'tel:+1310555%3Bphone-context%3Dx'])
  const employee = await server.admin.employees.create({ workspace }, { name: 'Lea', email })
  expect(await hrefs(`/employees/${employee.id}`)).toEqual([link])
})
