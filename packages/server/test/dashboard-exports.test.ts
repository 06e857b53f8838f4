import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { csvLine } from '../src/ui/csv.ts'
import { signedInVisitor, visitor } from './dashboard-person.ts'
import { onEveryStore, type Start } from './on-every-store.ts'
import { goodPassword, signedIn } from './people.ts'

/** More than one page of rows, so that an export is still running after its first bytes. */
const ticketCount = 250

async function startWithTickets(start: Start) {
  const server = await start({ rateLimit: 'off' })
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  for (let count = 0; count < ticketCount; count += 1) await server.admin.tickets.create({ workspace }, { title: 'T' })
  const people: Awaited<ReturnType<typeof signedInVisitor>>[] = []
  for (const name of ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve'])
    people.push(await signedInVisitor(server, { workspace, role: 'viewer', name }))
  const [ada, bob, cleo, dan, eve] = people
  if (ada === undefined || bob === undefined || cleo === undefined || dan === undefined || eve === undefined)
    throw new Error('A person is missing.')
  const path = `/dashboard/w/${workspace}/tickets/export`
  return { server, workspace, path, ada, bob, cleo, dan, eve }
}

/** Reads the first bytes of a response, which leaves its export running. */
async function begin(response: Response) {
  const reader = response.body?.getReader()
  await reader?.read()
  return { status: response.status, cancel: async () => reader?.cancel() }
}

const rowsIn = async (response: Response) => (await response.text()).trim().split('\r\n').length - 1

onEveryStore('a running export', (start) => {
  test('leaves one place per person and four per workspace; others get 429 until it ends or is cancelled', async () => {
    const { path, ada, bob, cleo, dan, eve } = await startWithTickets(start)
    const first = await begin(await ada.get(path))
    const refused = await ada.get(path)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await refused.text()).toContain('You may run 1 export at a time, and a workspace 4.')

    await first.cancel()
    expect(await rowsIn(await ada.get(path))).toBe(ticketCount)
    const running = await Promise.all([ada, bob, cleo, dan].map(async (each) => begin(await each.get(path))))
    expect(running.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await eve.get(path)).status).toBe(429)
    await running[2]?.cancel()
    expect(await rowsIn(await eve.get(path))).toBe(ticketCount)
    expect((await cleo.get(path)).status).toBe(200)
  })

  test('stays one of four among a hundred at once, and leaves the lists of others usable', async () => {
    const { path, ada, bob, cleo, dan, eve } = await startWithTickets(start)
    const askers = Array.from({ length: 25 }, () => [ada, bob, cleo, dan]).flat()
    const [answers, list] = await Promise.all([
      Promise.all(askers.map(async (each) => begin(await each.get(path)))),
      eve.get(path.replace('/export', '')),
    ])
    expect(list.status).toBe(200)
    const statuses = Map.groupBy(answers, ({ status }) => status)
    expect([...statuses].map(([status, { length }]) => [status, length]).toSorted()).toEqual([
      [200, 4],
      [429, 96],
    ])
    await Promise.all(answers.map(({ cancel }) => cancel()))
    expect(await rowsIn(await eve.get(path))).toBe(ticketCount)
  })

  test('with a filter that does not exist is refused before it begins, and takes no place', async () => {
    const { path, ada } = await startWithTickets(start)
    for (let count = 0; count < 3; count += 1) {
      const refused = await ada.get(`${path}?due=someday`)
      expect([refused.status, refused.headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8'])
    }
    expect(await rowsIn(await ada.get(path))).toBe(ticketCount)
  })

  test('and its list refuse a filter that cannot be read, instead of showing everything', async () => {
    const server = await start({ rateLimit: 'off', encryptionKey: 'a key of at least thirty-two characters' })
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const ada = await signedInVisitor(server, { workspace, role: 'admin' })
    const webhook = await server.admin.webhooks.create(
      { workspace },
      { url: 'https://acme.example/hook', events: ['*'] },
    )
    const field = (name: string, problem: string) => `The ${name} field ${problem}.`
    const ids = field('project_id', 'must be an integer')
    const cases = [
      ['tickets?due=never', field('due', 'must be one of: overdue, today, week')],
      ['tickets?assigned_to=abc', field('assigned_to', 'is invalid')],
      ['tickets/export?assigned_to=abc', field('assigned_to', 'is invalid')],
      ['tickets?project_id=1.5', ids],
      ['tickets/export?project_id=1.5', ids],
      ['tasks?assigned_to=abc', field('assigned_to', 'is invalid')],
      ['tasks?view=list&assigned_to=abc', field('assigned_to', 'is invalid')],
      ['deals?view=list&owner_id=abc', field('owner_id', 'is invalid')],
      ['deals/export?owner_id=abc', field('owner_id', 'is invalid')],
      ['errors?level=zz', expect.stringContaining('The level field must be one of: trace')],
      ['errors?status=zz', field('status', 'must be one of: open, resolved')],
      ['errors?first_seen=zz', expect.stringContaining('The since field must be a valid date')],
      ['activity?provider=zz', field('provider', 'must be one of: github, gitlab, bitbucket')],
      ['webhooks?state=zz', field('state', 'must be one of: failing, active, off')],
      [`webhooks/${webhook.id}?state=zz`, field('state', 'must be one of: pending, succeeded, failed, held, retrying')],
    ] as const
    for (const [path, sentence] of cases) {
      const refused = await ada.get(`/dashboard/w/${workspace}/${path}`)
      const [, said = ''] = /<h1[\s\S]*?<p[^>]*>([\s\S]*?)<\/p>/.exec(await refused.text()) ?? []
      expect([path, refused.status, said]).toEqual([path, 422, sentence])
    }
  })

  test('of each list has the same columns with and without rows, and names former members', async () => {
    const server = await start({ rateLimit: 'off' })
    const { admin } = server
    const { id: workspace } = await admin.workspaces.create({ name: 'Northwind' })
    const at = { workspace }
    const ada = await signedInVisitor(server, { workspace, role: 'admin' })
    const read = async (list: string) => {
      const [head = '', ...rows] = (await (await ada.get(`/dashboard/w/${workspace}/${list}/export`)).text()).split(
        '\r\n',
      )
      return { head: head.replace('\uFEFF', ''), rows: rows.filter(Boolean) }
    }
    const lists = ['tickets', 'tasks', 'projects', 'deals', 'accounts', 'leads', 'employees', 'attendance/devices']
    const heads = new Map<string, string>()
    for (const list of lists) {
      const { head, rows } = await read(list)
      expect([list, rows, head]).toEqual([list, [], expect.stringMatching(/\b(?:Title|Name|Member)\b/)])
      heads.set(list, head)
    }

    const lena = await admin.members.create(at, { name: 'Lena Novak', email: 'lena@acme.example' })
    await admin.tickets.create(at, { title: 'T', assigned_to: lena.id })
    await admin.tasks.create(at, { title: 'T', assigned_to: lena.id })
    await admin.projects.create(at, { name: 'P' })
    await admin.deals.create(at, { title: 'D', owner_id: lena.id })
    await admin.accounts.create(at, { name: 'A' })
    await admin.leads.create(at, { name: 'L', email: 'l@acme.example', source: 'website' })
    await admin.employees.create(at, { user_id: lena.id, employee_code: 'E1' })
    await admin.devices.create(at, { device_name: 'Door', source_type: 'zkteco' })
    await admin.members.delete({ ...at, id: lena.id })
    for (const [list, head] of heads) {
      const found = await read(list)
      expect([list, found.head, found.rows.length]).toEqual([list, head, 1])
      if (/Assignee|Owner|Member/.test(head)) expect(found.rows[0]).toContain('Lena Novak (former)')
    }
    expect((await read('employees')).rows).toEqual([
      expect.stringMatching(/^Lena Novak \(former\),lena@acme\.example,E1,/),
    ])
  })

  test('of a HEAD request takes no place', async () => {
    const { server, path, ada } = await startWithTickets(start)
    const session = { cookie: ada.cookie() }
    for (let count = 0; count < 3; count += 1) {
      const head = await server.fetch(new URL(path, server.origin), { method: 'HEAD', headers: session })
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/csv'])
    }
    expect(await rowsIn(await ada.get(path))).toBe(ticketCount)
  })

  test('frees its place over a port as soon as the reader disconnects, compressed or not', async () => {
    const server = await start({ rateLimit: 'off' })
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const ada = await signedInVisitor(server, { workspace, role: 'admin' })
    // More than the buffers of a connection hold, and incompressible, so that the export waits for its reader.
    const { id } = await server.admin.tickets.create({ workspace }, { title: 'T' })
    for (let count = 0; count < 100; count += 1)
      await server.admin.tickets.update({ workspace, id }, { description: randomBytes(49_000).toString('base64') })
    const root = await signedIn(server, 'Root', { isInstanceAdmin: true })
    const { url } = await server.listen()
    const browser = visitor({ fetch, origin: url })
    await browser.post('/dashboard/sign-in', { email: ada.email, password: goodPassword })
    const ofPage = { path: `/dashboard/w/${workspace}/settings/audit/export`, credential: { cookie: browser.cookie() } }
    const token = { authorization: `Bearer ${root.token}` }
    const ofApi = { path: `/admin/v1/workspaces/${workspace}/audit-log/export`, credential: token }
    for (const { path, credential, coding } of [
      { ...ofPage, coding: 'gzip' },
      { ...ofPage, coding: 'identity' },
      { ...ofApi, coding: 'identity' },
      { ...ofApi, coding: 'identity' },
    ]) {
      const abort = new AbortController()
      const headers = { ...credential, 'accept-encoding': coding }
      // The previous export ends by itself after its reader disconnects, but perhaps not yet.
      let running = await fetch(url + path, { headers, signal: abort.signal })
      await expect
        .poll(async () => {
          if (running.status === 429) running = await fetch(url + path, { headers, signal: abort.signal })
          return running.status
        })
        .toBe(200)
      const refused = await fetch(url + path, { headers })
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
      expect((await fetch(url + path, { method: 'HEAD', headers })).status).toBe(200)
      abort.abort()
    }
  })
})

test.each([
  ['=1+1', "'=1+1"],
  ['  =1+1', "'  =1+1"],
  ['\t=1', `"'\t'=1"`],
  ['\ttext', `"'\ttext"`],
  ['\r\n@a', `"'\r\n'@a"`],
  ['＝1', "'＝1"],
  ['\u200b＋1', "'\u200b＋1"],
  ['\u00a0-1', "'\u00a0-1"],
  ['a;=1', `"a;'=1"`],
  ['a; =1;;@b', `"a; '=1;;'@b"`],
  ['a,-b', `"a,'-b"`],
  ['a\n+1', `"a\n'+1"`],
  ['a";=1', `"a"";'=1"`],
  ['a - b = c', 'a - b = c'],
  ['ada@acme.example', 'ada@acme.example'],
  ['Later, "quoted"', '"Later, ""quoted"""'],
])('the CSV cell %j is no formula, whichever separator a spreadsheet splits by', (text, cell) => {
  expect(csvLine([text, 1, null])).toBe(`${cell},1,\r\n`)
})
