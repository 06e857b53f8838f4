import { expect, test } from 'vitest'
import { maxRowsRead } from '../src/store/filtered-list.ts'
import { signedInVisitor } from './dashboard-person.ts'
import { onDisk, startWithTables } from './tables.ts'

const numbers = (from: number, to: number) =>
  `(with recursive counted (n) as (select ${from} union all select n + 1 from counted where n < ${to}) select n from counted) as every`

test.each(onDisk)('on %s a list whose filters no index answers continues on the next page', async (store) => {
  const { server, tables } = await startWithTables(store)
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const last = 2 * maxRowsRead + 10
  await tables.rows(`insert into tasks (workspace_id, title, status, priority, created_at, updated_at)
    select ${workspace}, 'Task ' || n, 'todo', case when n in (3, ${last - 1}) then 'urgent' else 'low' end, n, n
    from ${numbers(1, last)}`)
  const first = await server.admin.tasks.list({ workspace }, { priority: 'urgent' })
  expect(first.data.map(({ title }) => title)).toEqual([`Task ${last - 1}`])
  const second = await server.admin.tasks.list({ workspace }, { priority: 'urgent', before: first.next_before ?? 0 })
  expect(second).toMatchObject({ data: [], next_before: last - 2 * maxRowsRead + 1 })
  const all = await server.admin.tasks.list({ workspace }, { priority: 'urgent' }).all()
  expect(all.map(({ title }) => title)).toEqual([`Task ${last - 1}`, 'Task 3'])
  const sorted = await server.admin.tasks.list({ workspace }, { priority: 'urgent', sort: 'due' }).all()
  expect(new Set(sorted.map(({ title }) => title))).toEqual(new Set(['Task 3', `Task ${last - 1}`]))
})

test.each(onDisk)('on %s tickets with a frequent word are sorted together with a filter, or not', async (store) => {
  const { server, tables } = await startWithTables(store)
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const { id } = await server.admin.tickets.create({ workspace }, { title: 'Invoice' })
  await tables.rows(`insert into tickets
      (workspace_id, number, title, status, priority, tags, resolved_at, created_at, updated_at)
    select ${workspace}, n, 'Invoice ' || n, 'closed', 'low', '[]', n, n, n from ${numbers(2, 2100)}`)
  if (store === 'postgres')
    await tables.rows(`insert into ticket_search select workspace_id, id,
      array_to_tsvector(array[workspace_id || ':0:invoice', workspace_id || ':0:s:636c6f736564']) from tickets where number > 1`)
  const list = (query: object) =>
    server.admin.tickets.list({ workspace }, { search: 'inv', sort: 'priority', ...query })
  await expect(list({})).rejects.toMatchObject({
    status: 422,
    errors: { search: [expect.stringContaining('Add a word or a filter, or leave out the sort.')] },
  })
  expect((await list({ status: 'active' })).data.map((ticket) => ticket.id)).toEqual([id])
  expect((await list({ sort: undefined, limit: 200 }).all()).length).toBe(2100)
})

test.each(onDisk)(
  'on %s tickets are counted up to 10,000, and those without an index as far as a page reads',
  async (store) => {
    const { server, tables } = await startWithTables(store)
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    await tables.rows(`insert into tickets (workspace_id, number, title, status, priority, tags, created_at, updated_at)
    select ${workspace}, n, 'Invoice', 'open', 'low', '[]', n, n from ${numbers(1, 10_001)}`)
    const count = (query: Parameters<typeof server.admin.tickets.count>[1]) =>
      server.admin.tickets.count({ workspace }, { ...query, up_to: 10_000 })
    expect(await count({ status: 'active', assigned_to: 'none' })).toEqual({ count: 10_000, is_exact: false })
    expect(await count({ assigned_to: 'none' })).toEqual({ count: maxRowsRead, is_exact: false })
    expect(await count({ status: 'active', due: 'overdue' })).toEqual({ count: 0, is_exact: true })
    const ada = await signedInVisitor(server, { workspace, role: 'viewer' })
    const page = async (path: string) => await (await ada.get(`/dashboard/w/${workspace}/${path}`)).text()
    expect(await page('overview')).toContain('More than 10,000 tickets have no assignee')
    expect(await page('tickets?status=active&assigned_to=none')).toContain('>50 of more than 10,000 tickets<')
    expect(await page('tickets?assigned_to=none')).toContain('>50 of at least 2,000 tickets<')
  },
)

test('the palette says that older members were not searched, and links to their search', async () => {
  const { server, tables } = await startWithTables('sqlite')
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const every = numbers(1, maxRowsRead + 10)
  for (const statement of [
    `insert into users (name, email, created_at)
      select 'Person ' || n || 'x', n || '@people.example', n from ${every}`,
    `insert into members (workspace_id, user_id, role, created_at)
      select ${workspace}, id, 'viewer', created_at from users`,
  ])
    await tables.rows(statement)
  const ada = await signedInVisitor(server, { workspace, role: 'viewer' })
  const page = async (path: string) => await (await ada.get(`/dashboard/w/${workspace}/${path}`)).text()
  const old = await page('search?q=Person+3x')
  expect(old).not.toContain('No results for')
  const [, href = ''] = /href="[^"]*\/w\/\d+\/([^"]*)"[^>]*>(?:(?!<\/a>).)*Search older members/s.exec(old) ?? []
  expect(href).toBe('settings/members?search=Person+3x')
  expect(await page(href)).toContain('rel="next"')
  const recent = await page(`search?q=Person+${maxRowsRead}x`)
  expect(recent).toContain(`Person ${maxRowsRead}x`)
  expect(await page('search?q=Person')).toContain('All members')
})

test('the menu shows the last opened workspaces, and a page finds all others', async () => {
  const { server } = await startWithTables('sqlite')
  const { id: first } = await server.admin.workspaces.create({ name: 'First' })
  const visitor = await signedInVisitor(server, { workspace: first, role: 'owner' })
  for (let n = 2; n <= 30; n += 1) {
    const { id } = await server.admin.workspaces.create({ name: `Workspace ${n}` })
    await server.admin.members.create({ workspace: id }, { name: 'Ada', email: visitor.email, role: 'viewer' })
  }
  await visitor.get('/dashboard/w/5/overview')
  const html = await (await visitor.get(`/dashboard/w/${first}/overview`)).text()
  const [menu = ''] = /<details class="switch".*?<\/details>/s.exec(html) ?? []
  const shown = [...menu.matchAll(/\/w\/(\d+)\/overview/g)].map(([, id]) => Number(id))
  expect(shown).toHaveLength(8)
  expect(shown.slice(0, 2)).toEqual([first, 5])
  const found = await (await visitor.get('/dashboard/open?search=workspace+17')).text()
  expect(found).toContain('Workspace 17')
  expect(found).not.toContain('Workspace 18</')
})

test('a page without rows before the end of a search says so, and does not claim that there are none', async () => {
  const { server, tables } = await startWithTables('sqlite')
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const ada = await signedInVisitor(server, { workspace, role: 'admin' })
  const every = numbers(1, maxRowsRead + 1)
  for (const statement of [
    `insert into tasks (workspace_id, title, status, priority, created_at, updated_at)
      select ${workspace}, 'Task', 'todo', 'low', n, n from ${every}`,
    `insert into audit_log (at, actor, via, address, operation, workspace_id, resource, request_id)
      select n, 'user:1', 'session', '::1', 'tasks.update', ${workspace}, 'task ' || n, 'r' from ${every}`,
    `insert into activities (workspace_id, provider, event, kind, title, repository, created_at)
      select ${workspace}, 'github', 'push', 'commit', 'Commit', 'northwind/api', n from ${every}`,
    `insert into error_groups (workspace_id, fingerprint, count, first_seen_at, last_seen_at, message, severity, sample)
      select ${workspace}, 'f' || n, 1, n, n, 'Cannot read', 'error', '{}' from ${every}`,
  ])
    await tables.rows(statement)
  for (const [path, next] of [
    ['tasks?view=list&priority=urgent', /<a [^>]*href="[^"]*view=list[^"]*before=\d+"[^>]*rel="next"/],
    ['tasks?priority=urgent', />Continue in the list</],
    ['settings/audit?operation=nothing', /rel="next"/],
    ['activity?repository=northwind%2Fapi&provider=gitlab', /rel="next"/],
    ['errors?level=fatal', /rel="next"/],
  ] as const) {
    const html = await (await ada.get(`/dashboard/w/${workspace}/${path}`)).text()
    expect([path, html]).toEqual([path, expect.stringContaining('Nothing found yet')])
    expect([path, html]).toEqual([path, expect.stringMatching(next)])
  }
})

test('the page of a person in many workspaces shows some of them, and finds all others', async () => {
  const { server, tables } = await startWithTables('sqlite')
  const { id: workspace } = await server.admin.workspaces.create({ name: 'First' })
  const root = await signedInVisitor(server, { workspace, role: 'owner' })
  await server.admin.users.update({ id: root.id }, { is_instance_admin: true })
  await tables.rows(`insert into workspaces (id, name, time_zone, created_at)
    select n, 'Workspace ' || n, 'UTC', 0 from ${numbers(workspace + 1, workspace + 300)}`)
  await tables.rows(`insert into members (workspace_id, user_id, role, created_at)
    select n, ${root.id}, 'viewer', 0 from ${numbers(workspace + 1, workspace + 300)}`)
  const linksOn = async (query: string) => {
    const html = await (await root.get(`/dashboard/people/${root.id}${query}`)).text()
    return [...html.matchAll(/id="role-(\d+)"/g)].map(([, id]) => Number(id))
  }
  expect(await linksOn('')).toHaveLength(50)
  expect(await linksOn(`?search=workspace+${workspace + 299}`)).toEqual([workspace + 299])
})

test('a column of a board says that there are more only if there are', async () => {
  const { server, tables } = await startWithTables('sqlite')
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Board' })
  const ada = await signedInVisitor(server, { workspace, role: 'member' })
  const countOf = async () => {
    const html = await (await ada.get(`/dashboard/w/${workspace}/tasks`)).text()
    return /id="task-board-todo">[^<]*<\/h2><span class="meta">([^<]*)</.exec(html)?.[1]
  }
  const addTasks = (count: number) =>
    tables.rows(`insert into tasks (workspace_id, title, status, priority, created_at, updated_at)
      select ${workspace}, 'Task', 'todo', 'low', n, n from ${numbers(1, count)}`)
  await addTasks(50)
  expect(await countOf()).toBe('50')
  await addTasks(1)
  expect(await countOf()).toBe('50+')
})
