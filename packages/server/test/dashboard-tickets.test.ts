import { expect, test } from 'vitest'
import type { Server } from '../src/index.ts'
import { signedInVisitor } from './dashboard-person.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, signedIn } from './people.ts'
import { onDisk, startWithTables } from './tables.ts'

async function startWithMember(start: () => Promise<Server>) {
  const server = await start()
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const member = await signedInVisitor(server, { workspace, role: 'member' })
  return { server, admin: server.admin, at: { workspace }, member, board: `/dashboard/w/${workspace}` }
}

/** The visible text of an HTML fragment. */
const readable = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
const rowOf = (html: string, id: number) => readable(html.split(`<tr id="ticket-${id}"`)[1]?.split('</tr>')[0] ?? '')
/** What a reader would submit unchanged. */
const fieldsOf = (html: string) => {
  const textOf = (pattern: RegExp, part: string) => (pattern.exec(part)?.[1] ?? '').replaceAll('&quot;', '"')
  const inputs = [...html.matchAll(/<input [^>]*>/g)].map(([input]) => [
    textOf(/ name="([^"]+)"/, input),
    textOf(/ value="([^"]*)"/, input),
  ])
  const selects = [...html.matchAll(/<select [^>]*name="([^"]+)"[\s\S]*?<\/select>/g)].map(([select, name]) => [
    name,
    textOf(/<option [^>]*value="([^"]*)" selected/, select),
  ])
  const texts = [...html.matchAll(/<textarea [^>]*name="([^"]+)"[^>]*>([^<]*)/g)].map(([, name, text]) => [name, text])
  return Object.fromEntries([...inputs, ...selects, ...texts])
}
const errorsIn = (html: string) =>
  [...html.matchAll(/<p class="field-error"[\s\S]*?<\/p>/g)].map(([part]) => readable(part))
const versionOf = (html: string) => (/name="version" value="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&quot;', '"')

onEveryStore('the list of tickets', (start) => {
  test('shows tags and due dates, and marks overdue tickets that are not done', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const [late, done, later] = [
      await admin.tickets.create(at, { title: 'Late', due_at: '2020-02-03', tags: ['one', 'two', 'three', 'four'] }),
      await admin.tickets.create(at, { title: 'Done', due_at: '2020-02-03' }),
      await admin.tickets.create(at, { title: 'Later', due_at: '2999-12-31' }),
    ]
    await admin.tickets.update({ ...at, id: done.id }, { status: 'closed' })
    const html = await (await member.get(`${board}/tickets`)).text()
    expect(rowOf(html, late.id)).toMatch(/Late one two three \+1 .*3 Feb 2020 \(overdue\)/)
    expect(rowOf(html, done.id)).toContain('3 Feb 2020')
    expect(rowOf(html, later.id)).toContain('31 Dec 2999')
    for (const { id } of [done, later]) expect(rowOf(html, id)).not.toContain('overdue')
  })

  test('marks the tickets and tasks that the filter Overdue finds, by the calendar of the workspace', async () => {
    const clock = manualClock(Date.parse('2026-11-20T12:00:00Z') * 1000)
    const server = await start({ clock })
    const { id: workspace } = await server.admin.workspaces.create({
      name: 'Northwind',
      time_zone: 'Pacific/Kiritimati', // the next day begins at 10:00 UTC
    })
    const at = { workspace }
    const late = await server.admin.tickets.create(at, { title: 'Late', due_at: '2026-11-20' })
    const today = await server.admin.tickets.create(at, { title: 'Today', due_at: '2026-11-21' })
    const task = await server.admin.tasks.create(at, { title: 'Due today', due_at: '2026-11-21' })
    const member = await signedInVisitor(server, { workspace, role: 'member' })
    const html = await (await member.get(`/dashboard/w/${workspace}/tickets`)).text()
    expect(rowOf(html, late.id)).toContain('(overdue)')
    expect(rowOf(html, today.id)).not.toContain('(overdue)')
    expect((await server.admin.tickets.list(at, { due: 'overdue' })).data.map(({ id }) => id)).toEqual([late.id])
    const tasks = readable(await (await member.get(`/dashboard/w/${workspace}/tasks?view=list`)).text())
    expect(tasks).toContain(task.title)
    expect(tasks).not.toContain('(overdue)')
  })

  test('finds the names of people beyond the first page, and of former members', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const add = (name: string) => admin.members.create(at, { name, email: `${name}@people.example` })
    const [oldest, gone] = [await add('oldest'), await add('gone')]
    for (let added = 0; added < 200; added += 1) await add(`member-${added}`)
    await admin.tasks.create(at, { title: 'Of the oldest', assigned_to: oldest.id })
    const project = await admin.projects.create(at, { name: 'Move' })
    await admin.tasks.create(at, { title: 'Of a former member', assigned_to: gone.id, project_id: project.id })
    await admin.members.delete({ ...at, id: gone.id })
    const html = await (await member.get(`${board}/tasks?view=list`)).text()
    expect(html).toMatch(new RegExp(`<option[^>]* value="${oldest.id}"[^>]*>oldest</option>`))
    const rows = readable(html.split('<tbody>')[1]?.split('</tbody>')[0] ?? '')
    expect(rows).toMatch(/Of a former member .*gone \(former\).*Of the oldest .*oldest/)
    for (const path of ['tasks', `projects/${project.id}`])
      expect(readable(await (await member.get(`${board}/${path}`)).text())).toContain('gone (former)')
    const csv = await (await member.get(`${board}/tasks/export`)).text()
    expect(csv).toMatch(/Of a former member,.*,gone \(former\),.*\r\nOf the oldest,.*,oldest,/)
  })

  test('has views with counts up to 99, and the number of all tickets', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const views = async () => {
      const html = await (await member.get(`${board}/tickets`)).text()
      return readable(/<nav class="tabs"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '')
    }
    expect(await views()).toBe('Unassigned 0 Overdue 0 SLA at risk 0 Mine 0 All 0')
    await admin.tickets.create(at, { title: 'T', assigned_to: member.id, due_at: '2020-01-01' })
    for (let created = 0; created < 100; created += 1) await admin.tickets.create(at, { title: 'Printer' })
    expect(await views()).toBe('Unassigned 99+ Overdue 1 SLA at risk 0 Mine 1 All 101')
    const pager = async (query: string) =>
      /[^>]* tickets?(?: on this page)?(?=<)/.exec(
        (await (await member.get(`${board}/tickets?${query}`)).text()).split('</table>')[1] ?? '',
      )?.[0]
    expect(await pager('')).toBe('50 of 101 tickets')
    expect(await pager('status=active&assigned_to=none')).toBe('50 of 100 tickets')
    expect(await pager('status=active&assigned_to=none&before=30')).toBe('28 of 100 tickets')
    expect(await pager('status=open&search=')).toBe('50 of 101 tickets')
    expect(await pager('search=printer')).toBe('50 tickets on this page')
    expect(await pager('search=printer&status=open&before=30')).toBe('28 tickets on this page')
    expect(await pager('due=overdue')).toBe('1 ticket')
    expect(readable(await (await member.get(`${board}/overview`)).text())).toContain('100 tickets have no assignee')
  })
})

/** The name, whether it is shared, and the error of a refused form of a view. */
function refusedViewIn(html: string) {
  const [form = ''] = /<details class="filter" data-menu="true" open="">[\s\S]*?<\/details>/.exec(html) ?? []
  const error = readable(/<p class="field-error"[\s\S]*?<\/p>/.exec(form)?.[0] ?? '')
  return [
    /name="name"[^>]*?value="([^"]*)"|value="([^"]*)"[^>]*?name="name"/.exec(form)?.slice(1).join(''),
    /name="shared" checked/.test(form),
    error,
  ]
}

onEveryStore('a filter that matches no view', (start) => {
  test('can be saved as a personal view with a count, and deleted', async () => {
    const { server, admin, at, member, board } = await startWithMember(start)
    await admin.tickets.create(at, { title: 'T', priority: 'urgent' })
    const path = `${board}/tickets?priority=urgent&sort=due`
    const action = `${board}/tickets/views?priority=urgent&sort=due`
    const tabsOf = async (person: typeof member, address = path) => {
      const html = await (await person.get(address)).text()
      return [readable(/<nav class="tabs"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? ''), html.includes('Save view')]
    }
    const shared = 'Unassigned 1 Overdue 0 SLA at risk 0 Mine 0 All 1'
    expect(await tabsOf(member)).toEqual([shared, true])
    const saved = await member.post(action, { name: 'On fire' })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, path])
    expect(await tabsOf(member)).toEqual([`${shared} On fire 1`, false])
    expect(await tabsOf(member, `${board}/tickets`)).toEqual([`${shared} On fire 1`, false])
    const viewer = await signedInVisitor(server, { ...at, role: 'viewer', name: 'Vic' })
    expect(await tabsOf(viewer)).toEqual([shared, true])
    await member.post(action, { delete: 'On fire' })
    expect(await tabsOf(member)).toEqual([shared, true])
  })
})

onEveryStore('a former member', (start) => {
  test('is named in selects, filters, and shared views, and their records can be edited', async () => {
    const { server, admin, at, board } = await startWithMember(start)
    const eve = await signedInVisitor(server, { ...at, role: 'admin', name: 'Eve' })
    const adi = await signedInVisitor(server, { ...at, role: 'admin', name: 'Adi' })
    await eve.post(`${board}/tickets/views?priority=urgent`, { name: 'On fire', shared: 'on' })
    const account = await admin.accounts.create(at, { name: 'Initech' })
    const [ticket, task, deal] = [
      await admin.tickets.create(at, { title: 'Old', assigned_to: eve.id }),
      await admin.tasks.create(at, { title: 'Old', assigned_to: eve.id }),
      await admin.deals.create(at, { title: 'Old', owner_id: eve.id, account_id: account.id }),
    ]
    await admin.members.delete({ ...at, id: eve.id })
    const htmlOf = async (path: string) => (await adi.get(board + path)).text()
    const paths = [`/tickets/${ticket.id}`, `/tickets/${ticket.id}/edit`]
    for (const path of [...paths, `/tasks/${task.id}/edit`, `/deals/${deal.id}/edit`]) {
      const [, label] =
        new RegExp(`<option[^>]* value="${eve.id}" selected[^>]*>([^<]*)`).exec(await htmlOf(path)) ?? []
      expect([path, label]).toEqual([path, 'Eve (former)'])
    }
    const chipOf = async (path: string) =>
      readable(/<span class="chip"[\s\S]*?<\/span>/.exec(await htmlOf(path))?.[0] ?? '')
    for (const path of ['/tickets', '/tasks']) {
      expect(await chipOf(`${path}?assigned_to=${eve.id}`)).toContain('Eve (former)')
      const unknown = await chipOf(`${path}?assigned_to=4711`)
      expect([unknown.includes('Former member'), unknown.includes('4711')]).toEqual([true, false])
    }
    expect(await chipOf('/tickets?project_id=99999')).toContain('Project is #99999')
    const list = readable(await htmlOf('/tickets?priority=urgent'))
    expect(list).toContain('is shared by Eve (former)')
    expect(list).toContain('On fire , shared by Eve (former)')
    const records = { tickets: ticket, tasks: task, deals: deal }
    for (const [resource, { id }] of Object.entries(records)) {
      const form = await htmlOf(`/${resource}/${id}/edit`)
      const owner = { [resource === 'deals' ? 'owner_id' : 'assigned_to']: String(eve.id) }
      const saved = await adi.post(`${board}/${resource}/${id}`, { ...owner, title: 'New', version: versionOf(form) })
      expect([resource, saved.status]).toEqual([resource, 303])
    }
    expect(await admin.deals.get({ ...at, id: deal.id })).toMatchObject({ title: 'New', owner_id: eve.id })
  })
})

onEveryStore('a shared view', (start) => {
  test('is seen by everyone, and renamed and removed only by an owner or admin, for as long as they are one', async () => {
    const { server, admin, at, member, board } = await startWithMember(start)
    const amir = await signedInVisitor(server, { ...at, role: 'admin', name: 'Amir' })
    const path = `${board}/tickets?priority=urgent&sort=due`
    const action = (below = '') => `${board}/tickets/views${below}?priority=urgent&sort=due`
    const shownTo = async (person: typeof member) => {
      const html = await (await person.get(path)).text()
      const tabs = readable(/<nav class="tabs"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '').replace(/^.* All 0 ?/, '')
      const offered = /is shared by Amir|(?:Share|Rename|Remove|Delete) (?:On fire|Burning)(?! \?)|Save view/g
      return [tabs, ...(readable(html.replaceAll(/<dialog[\s\S]*?<\/dialog>/g, '')).match(offered) ?? [])]
    }
    await amir.post(action(), { name: 'On fire' })
    expect(await shownTo(amir)).toEqual(['On fire 0', 'Share On fire', 'Delete On fire'])
    await amir.post(action(), { share: 'On fire' })
    const tab = 'On fire , shared by Amir 0'
    expect(await shownTo(amir)).toEqual([tab, 'is shared by Amir', 'Rename On fire', 'Remove On fire'])
    const vic = await signedInVisitor(server, { ...at, role: 'viewer', name: 'Vic' })
    for (const person of [member, vic]) expect(await shownTo(person)).toEqual([tab, 'is shared by Amir'])

    const [view] = (await admin.sharedViews.list(at)).data
    const { id = 0 } = view ?? {}
    expect(view).toMatchObject({ list: 'tickets', name: 'On fire', shared_by: { id: amir.id, name: 'Amir' } })
    const taken = await amir.submit(action(), { name: 'On fire', shared: 'on' })
    expect(refusedViewIn(await taken.text())).toEqual([
      'On fire',
      true,
      expect.stringContaining('“On fire” has this name'),
    ])
    const changes = () => [
      [action(), { name: 'Mine', shared: 'on' }] as const,
      [action(`/${id}`), { name: 'Burning' }] as const,
      [action(`/${id}/delete`), {}] as const,
    ]
    const refusedFor = async (person: typeof member) => {
      for (const [address, fields] of changes()) expect((await person.post(address, fields)).status).toBe(403)
    }
    await refusedFor(member)
    await admin.members.update({ ...at, id: amir.id }, { role: 'member' })
    await refusedFor(amir)
    expect(await shownTo(amir)).toEqual([tab, 'is shared by Amir'])

    const olga = await signedInVisitor(server, { ...at, role: 'owner', name: 'Olga' })
    const tooLong = await olga.submit(action(`/${id}`), { name: 'x'.repeat(65) })
    const remedy = 'Enter a name of 1 to 64 characters.'
    expect(refusedViewIn(await tooLong.text())).toEqual(['x'.repeat(65), false, remedy])
    const theirs = await olga.post(action(`/${id}`), { name: 'Burning', version: 'Before' })
    expect([theirs.status, refusedViewIn(await theirs.text())]).toEqual([
      412,
      ['Burning', false, 'Someone else has renamed it to On fire. Save again to keep your name.'],
    ])
    const renamed = await olga.post(action(`/${id}`), { name: 'Burning', version: 'On fire' })
    expect([renamed.status, renamed.headers.get('location')]).toEqual([303, path])
    expect(await shownTo(vic)).toEqual(['Burning , shared by Amir 0', 'is shared by Amir'])
    await admin.members.delete({ ...at, id: amir.id })
    expect(await shownTo(vic)).toEqual(['Burning , shared by Amir (former) 0', 'is shared by Amir'])
    await olga.post(action(`/${id}/delete`))
    expect(await shownTo(vic)).toEqual(['', 'Save view'])
  })

  test('is renamed and removed by itself if another has the same filters', async () => {
    const { server, admin, at, board } = await startWithMember(start)
    const amir = await signedInVisitor(server, { ...at, role: 'admin', name: 'Amir' })
    for (const name of ['First', 'Second'])
      await admin.sharedViews.create(at, { list: 'tickets', name, query: 'priority=urgent' })
    const html = await (await amir.get(`${board}/tickets?priority=urgent`)).text()
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids).toEqual([...new Set(ids)])
    const [, dialog = ''] = /commandfor="([^"]+)"[^>]*>(?:(?!<\/button>).)*Remove <bdi>Second</s.exec(html) ?? []
    const [, action = ''] = new RegExp(`<dialog id="${dialog}".*?action="([^"]+)"`, 's').exec(html) ?? []
    await amir.post(action)
    expect((await admin.sharedViews.list(at)).data).toMatchObject([{ name: 'First' }])
  })
})

onEveryStore('a name that differs from that of another view only by case, form, or spaces', (start) => {
  test('is refused with the name of the other view', async () => {
    const { server, at, admin, member, board } = await startWithMember(start)
    const olga = await signedIn(server, 'Olga')
    await admin.members.create(at, { name: 'Olga', email: olga.email, role: 'owner' })
    const address = `/workspaces/${at.workspace}/shared-views`
    const view = { list: 'tickets', name: 'Caf\u00e9 Straße', query: 'tag=x' } as const
    const same = ['Cafe\u0301 Straße', 'CAF\u00c9 STRASSE', ' Caf\u00e9\u00a0\uff33traße ']
    const own = (data: readonly object[]) =>
      askAdmin(server, olga.token, ['PATCH', `/workspaces/${at.workspace}/views`, { data }])
    const { id } = await admin.sharedViews.create(at, view)
    const other = await admin.sharedViews.create(at, { ...view, name: 'Other' })
    for (const name of same) {
      for (const answer of [
        await askAdmin(server, olga.token, ['POST', address, { ...view, name }]),
        await askAdmin(server, olga.token, ['PATCH', `${address}/${other.id}`, { name }]),
        await own([view, { ...view, name }]),
      ]) {
        expect(answer.status).toBe(409)
        expect(answer.body).toMatchObject({
          message: expect.stringContaining('view “Caf\u00e9 Straße” has this name'),
        })
      }
      expect((await admin.sharedViews.update({ ...at, id }, { name })).name).toBe(name)
      await admin.sharedViews.update({ ...at, id }, { name: view.name })
    }
    await member.post(`${board}/tickets/views?tag=x`, { name: 'My tickets' })
    const saved = await member.submit(`${board}/tickets/views?tag=y`, { name: 'my tickets' })
    expect(saved.status).toBe(409)
    const reason = expect.stringContaining('The saved view “My tickets” has this name')
    expect(refusedViewIn(await saved.text())).toEqual(['my tickets', false, reason])
  })
})

onEveryStore('a query that the list refuses', (start) => {
  test('can be neither shared nor saved', async () => {
    const { server, at, admin, member, board } = await startWithMember(start)
    const olga = await signedIn(server, 'Olga')
    await admin.members.create(at, { name: 'Olga', email: olga.email, role: 'owner' })
    const [shared, own] = [`/workspaces/${at.workspace}/shared-views`, `/workspaces/${at.workspace}/views`]
    const refused = ['due=tomorrow', 'sla=foo', 'project_id=0', 'status=%20', `status=${'x'.repeat(65)}`, 'tag=%00']
    for (const query of refused) {
      const view = { list: 'tickets', name: 'Odd', query }
      const answers = [
        await askAdmin(server, olga.token, ['POST', shared, view]),
        await askAdmin(server, olga.token, ['PATCH', own, { data: [{ ...view, query: 'status=' }, view] }]),
      ]
      expect(answers.map(({ status }) => status)).toEqual([422, 422])
      expect(answers.flatMap(({ body }) => Object.keys(Object(body).errors))).toEqual(['query', 'data.1.query'])
    }
    const saved = await member.submit(`${board}/tickets/views?status=${'x'.repeat(65)}`, { name: 'Odd' })
    expect(readable(await saved.text())).toContain('The view was not saved: The status field must not be')
    expect((await member.get(`${board}/tickets`)).status).toBe(200)
    expect((await admin.sharedViews.list(at)).data).toEqual([])
  })
})

onEveryStore(
  'a view whose query the API refuses',
  (_start, store) => {
    test('has no count, and is removed from the list, which still opens', async () => {
      const { server, tables } = await startWithTables(store)
      const { admin, at, member, board } = await startWithMember(async () => server)
      const amir = await signedInVisitor(server, { ...at, role: 'admin', name: 'Amir' })
      await admin.sharedViews.create(at, { list: 'tickets', name: 'Tomorrow', query: 'due=today' })
      await member.post(`${board}/tickets/views?due=today`, { name: 'My day' })
      await member.post(`${board}/tickets/views?due=today&priority=low`, { name: 'My rest' })
      await tables.rows(`update shared_views set query = 'due=tomorrow'`)
      // Earlier versions accepted names that differ by case.
      await tables.rows(`update members set saved_views
        = replace(replace(saved_views, 'today', 'tomorrow'), 'My rest', 'My DAY')`)

      const shownTo = async (person: typeof member) => {
        const response = await person.get(`${board}/tickets`)
        const html = await response.text()
        const tabs = readable(/<nav class="tabs"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '').replace(/^.* All 0 ?/, '')
        const removal = /(?:Remove|Delete) <bdi>[^<]*/g
        return [response.status, tabs, ...(html.match(removal) ?? []).map((text) => text.replace('<bdi>', ''))]
      }
      const shared = 'Tomorrow , shared by a program'
      expect(await shownTo(member)).toEqual([200, `${shared} My day My DAY`, 'Delete My day', 'Delete My DAY'])
      expect(await shownTo(amir)).toEqual([200, shared, 'Remove Tomorrow'])
      expect((await amir.get(`${board}/tickets?due=tomorrow`)).status).toBe(422)
      const [view] = (await admin.sharedViews.list(at)).data
      await amir.post(`${board}/tickets/views/${view?.id}/delete`)
      await member.post(`${board}/tickets/views?tag=x`, { name: 'Third' })
      await member.post(`${board}/tickets/views`, { delete: 'Third' })
      expect(await shownTo(member)).toEqual([200, 'My day My DAY', 'Delete My day', 'Delete My DAY'])
      await member.post(`${board}/tickets/views`, { delete: 'My day' })
      expect(await shownTo(member)).toEqual([200, 'My DAY', 'Delete My DAY'])
      await member.post(`${board}/tickets/views`, { delete: 'My DAY' })
      expect(await shownTo(member)).toEqual([200, ''])
    })
  },
  onDisk,
)

onEveryStore('people', (start) => {
  test('with equal names are told apart where one is chosen, and have the initials of their names', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    for (const email of ['bo@a.example', 'bo@b.example'])
      await admin.members.create(at, { name: 'Bo Lee 🎉', email, role: 'member' })
    const form = await (await member.get(`${board}/tickets/new`)).text()
    const names = [...form.matchAll(/<option[^>]*>([^<]*Bo Lee[^<]*)</g)].map(([, name]) => name)
    expect(names.sort()).toEqual(['Bo Lee 🎉 (bo@a.example)', 'Bo Lee 🎉 (bo@b.example)'])
    const [bo] = (await admin.members.list(at, { search: 'bo@b.example' })).data
    await admin.users.update({ id: bo?.id ?? 0 }, { disabled: true })
    expect(await (await member.get(`${board}/tickets/new`)).text()).toContain('>Bo Lee 🎉 (bo@b.example) (disabled)<')
    expect(readable(await (await member.get(`${board}/settings/members`)).text())).toMatch(
      /Bo Lee 🎉 [^@]*bo@b\.example Disabled Member Disabled/,
    )
    expect(form).toMatch(/<option[^>]*>Ada</)
    const list = await (await member.get(`${board}/settings/members`)).text()
    const initials = [...list.matchAll(/<bdi class="avatar"[^>]*>([^<]*)</g)].map(([, text]) => text)
    expect(initials).toContain('BL')
    expect(list.isWellFormed()).toBe(true)
  })
})

onEveryStore('selected tickets', (start) => {
  test('are changed one by one, and the page names those that were refused', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const [first, second] = [
      await admin.tickets.create(at, { title: 'First', tags: ['a'] }),
      await admin.tickets.create(at, { title: 'Second' }),
    ]
    const path = `${board}/tickets/bulk?priority=medium&before=99`
    const fields = { assigned_to: String(member.id), tags: 'b, a' }
    const ids = [first.id, second.id, 99].map((id) => ['id', String(id)])
    const refused = await member.post(path, new URLSearchParams([...Object.entries(fields), ...ids]))
    const html = await refused.text()
    expect(refused.status).toBe(409)
    expect(readable(/<div class="banner bad">[\s\S]*?<\/ul>/.exec(html)?.[0] ?? '')).toBe(
      '2 tickets changed, 1 refused #99 : The ticket 99 was not found.',
    )
    expect((await admin.tickets.list(at)).data).toMatchObject([
      { id: second.id, assigned_to: member.id, tags: ['b', 'a'] },
      { id: first.id, assigned_to: member.id, tags: ['a', 'b'] },
    ])
    const { data } = await admin.auditLog.list(at)
    expect(data.filter(({ operation }) => operation === 'tickets.update')).toHaveLength(2)
    const toStranger = await member.post(path, { id: String(first.id), assigned_to: '4711' })
    expect(readable(await toStranger.text())).toContain('The selected assignee is not in this workspace.')
    const done = await member.post(path, { id: String(first.id), assigned_to: 'none' })
    expect([done.status, done.headers.get('location')]).toEqual([303, `${board}/tickets?priority=medium&before=99`])
    expect((await admin.tickets.get({ ...at, id: first.id })).assigned_to).toBeNull()
  })

  test('are exported as CSV, marked as UTF-8 for spreadsheets, filtered and sorted, without formulas', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    await admin.tickets.create(at, { title: '=1+1', category: 'mail', assigned_to: member.id })
    await admin.tickets.create(at, { title: 'Later, "quoted"', priority: 'urgent', tags: ['a', 'b, c'] })
    const done = await admin.tickets.create(at, { title: 'Done' })
    await admin.tickets.update({ ...at, id: done.id }, { status: 'closed' })
    const exported = await member.get(`${board}/tickets/export?status=active&sort=priority`)
    const csv = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await exported.arrayBuffer())
    expect(csv.split('\r\n')).toEqual([
      '\uFEFFTitle,Status,Priority,Assignee,Due,Tags,Category,SLA,Number,Updated',
      expect.stringMatching(/^"Later, ""quoted""",open,urgent,,,"a, ""b, c""",,,TKT-00002,/),
      expect.stringMatching(/^'=1\+1,open,medium,Ada,,,mail,,TKT-00001,/),
      '',
    ])
  })
})

onEveryStore('a ticket opened from a list', (start) => {
  test('links to its neighbors, also after it has left the list', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    for (const title of ['A', 'B', 'C']) await admin.tickets.create(at, { title })
    const list = await (await member.get(`${board}/tickets?status=active`)).text()
    const [, href = ''] = /href="([^"]*)"[^>]*>B</.exec(list) ?? []
    const html = await (await member.get(href.replaceAll('&amp;', '&'))).text()
    const neighbors = [
      ['3', 'Previous'],
      ['1', 'Next'],
    ]
    expect(neighborsIn(html)).toEqual(neighbors)
    const [, action = ''] = /action="([^"]*\/status[^"]*)"/.exec(html) ?? []
    const resolved = await member.post(action.replaceAll('&amp;', '&'), { status: 'resolved' })
    expect(neighborsIn(await (await member.get(resolved.headers.get('location') ?? '')).text())).toEqual(neighbors)
  })

  const neighborsIn = (html: string) =>
    [...html.matchAll(/href="[^"]*\/tickets\/(\d+)[^"]*" aria-label="(\w+) ticket"/g)].map(([, id, name]) => [id, name])

  test('has tasks that are added and completed on its page', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const { id } = await admin.tickets.create(at, { title: 'A' })
    const path = `${board}/tickets/${id}`
    expect((await member.post(`${path}/tasks`, { title: '' })).status).toBe(422)
    expect((await member.post(`${path}/tasks`, { title: 'Call back' })).headers.get('location')).toBe(path)
    const [task] = (await admin.tasks.list(at, { ticket_id: id })).data
    expect(await (await member.get(path)).text()).toContain('aria-label="Complete Call back"')
    await member.post(`${path}/task-status`, { task: String(task?.id), status: 'done' })
    expect(await (await member.get(path)).text()).toContain('aria-label="Reopen Call back"')
  })

  test('shows the messages about it, and replies go to their channel', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const channel = await admin.channels.create(at, { name: 'ops' })
    await admin.rules.create(at, {
      name: 'Announce',
      trigger: 'ticket_created',
      actions: [{ type: 'post_message', channel_id: channel.id, body: 'New: {{title}}' }],
    })
    const { id } = await admin.tickets.create(at, { title: 'Outage' })
    const path = `${board}/tickets/${id}`
    expect(await (await member.get(path)).text()).toContain('New: Outage')
    expect((await member.post(`${path}/messages`, { channel: String(channel.id), body: '' })).status).toBe(422)
    await member.post(`${path}/messages`, { channel: String(channel.id), body: 'On it' })
    expect((await admin.messages.list(at, { ticket_id: id })).data).toMatchObject([
      { body: 'On it', channel_id: channel.id, author_id: member.id },
      { body: 'New: Outage', channel_id: channel.id, author_id: null },
    ])
    expect(await (await member.get(`${board}/messages/${channel.id}`)).text()).toContain(`href="${path}"`)
  })
})

onEveryStore('sorted lists', (start) => {
  test('mark the column and are paged by cursor, for every resource', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    for (let number = 1; number <= 51; number += 1) {
      await admin.tickets.create(at, { title: `No ${number}`, priority: number === 1 ? 'urgent' : 'low' })
      await admin.tasks.create(at, { title: `No ${number}`, priority: number === 1 ? 'urgent' : 'low' })
      await admin.deals.create(at, { title: `No ${number}`, amount: number === 1 ? 900 : 1 })
    }
    for (const path of ['tickets?sort=priority', 'tasks?view=list&sort=priority', 'deals?view=list&sort=amount']) {
      const html = await (await member.get(`${board}/${path}`)).text()
      expect(html.match(/aria-sort="\w+"/g)).toHaveLength(1)
      expect(titlesIn(html)[0]).toBe('No 1')
      const [, next = ''] = /href="([^"]*cursor=[^"]*)"/.exec(html) ?? []
      const following = await (await member.get(next.replaceAll('&amp;', '&'))).text()
      expect(new Set([...titlesIn(html), ...titlesIn(following)]).size).toBe(51)
    }
  })

  const titlesIn = (html: string) => [...html.matchAll(/>(No \d+)<\/a>/g)].map(([, title]) => title)
})

onEveryStore('a ticket', (start) => {
  test('shows tags with commas in quotes, keeps them in an edit, and stores repeated tags once', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const { id } = await admin.tickets.create(at, { title: 'Slow search', tags: ['Berlin, Mitte', 'slow'] })
    const path = `${board}/tickets/${id}`
    const edit = async (values: Record<string, string>) => {
      const html = await (await member.get(`${path}/edit`)).text()
      const answer = await member.post(path, { version: versionOf(html), ...values })
      expect(answer.status).toBe(303)
      return admin.tickets.get({ ...at, id })
    }
    const tagFields = async () => {
      const pages = [await (await member.get(path)).text(), await (await member.get(`${path}/edit`)).text()]
      return pages.map((html) =>
        /<input(?=[^>]* name="tags")[^>]* value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"'),
      )
    }
    expect(await tagFields()).toEqual(['"Berlin, Mitte", slow', '"Berlin, Mitte", slow'])
    const changed = await edit({ title: 'Slower search', tags: '"Berlin, Mitte", slow' })
    expect(changed).toMatchObject({ title: 'Slower search', tags: ['Berlin, Mitte', 'slow'] })
    for (const [typed, tags] of [
      ['"Berlin, Mitte", slow, new', ['Berlin, Mitte', 'slow', 'new']],
      ['slow, big,slow, ', ['slow', 'big']],
      ['"a, b,c" , d"e, "say ""hi"", twice", ""', ['a, b,c', 'd"e', 'say "hi", twice']],
      ['"', ['"']],
      ['"never, closed', ['"never', 'closed']],
    ] as const) {
      expect(await edit({ tags: typed })).toMatchObject({ title: 'Slower search', tags })
      const [shown = ''] = await tagFields()
      await edit({ tags: '' })
      expect((await edit({ tags: shown })).tags).toEqual(tags)
    }
  })

  test('can be edited inline, by members only', async () => {
    const { server, admin, at, member, board } = await startWithMember(start)
    const { id } = await admin.tickets.create(at, { title: 'Slow search', description: 'Long.', tags: ['search'] })
    const path = `${board}/tickets/${id}`
    for (const [name, value] of [
      ['status', 'in_progress'],
      ['priority', 'urgent'],
      ['assigned_to', String(member.id)],
      ['due_at', '2999-12-31'],
      ['category', 'billing'],
      ['tags', 'search, slow'],
    ] as const) {
      const html = await (await member.get(path)).text()
      expect(html).toMatch(new RegExp(`<form [^>]*data-save[^>]*>(?:(?!</form>)[\\s\\S])*name="${name}"`))
      const answer = await member.post(path, { [name]: value, version: versionOf(html) })
      expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
    }
    expect(await admin.tickets.get({ ...at, id })).toMatchObject({
      title: 'Slow search',
      description: 'Long.',
      category: 'billing',
      tags: ['search', 'slow'],
      status: 'in_progress',
      priority: 'urgent',
      assigned_to: member.id,
      due_at: '2999-12-31',
    })
    const viewer = await signedInVisitor(server, { ...at, role: 'viewer', name: 'Vic' })
    expect(await (await viewer.get(path)).text()).not.toContain('data-save')
    expect((await viewer.post(path, { status: 'closed' })).status).toBe(403)
  })

  test('says each thing that a rule did once, with names', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const bob = await admin.members.create(at, { name: 'Bob', email: 'bob@people.example', role: 'member' })
    await admin.rules.create(at, {
      name: 'Escalate',
      trigger: 'ticket_created',
      conditions: [],
      actions: [
        { type: 'assign', user_id: bob.id },
        { type: 'add_tag', tag: 'hot' },
        { type: 'set_category', category: 'late payment' },
      ],
    })
    const { id } = await admin.tickets.create(at, { title: 'Slow search' })
    const activity = async () => {
      const html = await (await member.get(`${board}/tickets/${id}`)).text()
      const timeline = html.split('class="timeline"')[1]?.split('</ol>')[0] ?? ''
      return [...timeline.matchAll(/<p>(.*?) · /g)].map(([, text = '']) => readable(text))
    }
    expect(await activity()).toEqual([
      'Server program created it',
      'Escalate assigned it to Bob',
      'Escalate changed the tags from nothing to hot',
      'Escalate set the category to late payment',
    ])
    await admin.members.delete({ ...at, id: bob.id })
    expect(await activity()).toContain('Escalate assigned it to a former member')
  })

  test('names the rule or program that created it, its tasks, and its messages', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const channel = await admin.channels.create(at, { name: 'ops' })
    const rule = await admin.rules.create(at, {
      name: 'Escalate',
      trigger: 'ticket_created',
      actions: [
        { type: 'create_task', title: 'Call back' },
        { type: 'post_message', channel_id: channel.id, body: 'New: {{title}}' },
      ],
    })
    const { id } = await admin.tickets.create(at, { title: 'Outage' })
    await admin.messages.create(at, { channel_id: channel.id, body: 'Deployed' })
    const [task] = (await admin.tasks.list(at, { ticket_id: id })).data
    const ownTask = await admin.tasks.create(at, { title: 'Archive' })
    const read = async (path: string) => readable(await (await member.get(`${board}/${path}`)).text())
    expect(await read(`tasks/${task?.id}`)).toContain('Created by Escalate')
    expect(await read(`tasks/${ownTask.id}`)).toContain('Created by Server program')
    expect(await read(`messages/${channel.id}`)).toMatch(/Escalate [^.]*New: Outage [^.]*Server program [^.]*Deployed/)
    await admin.rules.delete({ ...at, id: rule.id })
    expect(await read(`tasks/${task?.id}`)).toContain('Created by A deleted rule')
  })

  test('keeps the line breaks of a text that its form did not change', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const description = 'One\nTwo\r\nThree'
    const { id } = await admin.tickets.create(at, { title: 'Slow search', description })
    const sent = { title: 'Slower search', description: 'One\r\nTwo\r\nThree' }
    const version = versionOf(await (await member.get(`${board}/tickets/${id}/edit`)).text())
    expect((await member.post(`${board}/tickets/${id}`, { ...sent, version })).status).toBe(303)
    expect(await admin.tickets.get({ ...at, id })).toMatchObject({ title: 'Slower search', description })
    expect((await member.post(`${board}/tickets/${id}`, { description: 'One\r\nTwo' })).status).toBe(303)
    expect(await admin.tickets.get({ ...at, id })).toMatchObject({ description: 'One\nTwo' })
  })

  test('changed by someone else in the meantime is shown with the stored values next to the input', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const { id } = await admin.tickets.create(at, { title: 'Slow search', description: 'Long.', tags: ['search'] })
    const path = `${board}/tickets/${id}`
    const version = versionOf(await (await member.get(path)).text())
    await admin.tickets.update({ ...at, id }, { priority: 'urgent', title: 'Slower search' })
    const late = await member.post(path, { priority: 'low', description: 'Long.', version })
    const html = await late.text()
    expect(late.status).toBe(412)
    expect(html).toMatch(/<option dir="auto" value="low" selected="">Low<\/option>/)
    expect(html).toMatch(/aria-describedby="stored-priority"/)
    expect([...html.matchAll(/<p class="stored"[\s\S]*?<\/p>/g)].map(([part]) => readable(part))).toEqual([
      'Stored now: Urgent',
    ])
    // Fields missing from the form have the stored values.
    expect(html).toContain('value="Slower search"')
    expect((await member.post(path, { priority: 'low', version: versionOf(html) })).status).toBe(303)
    expect(await admin.tickets.get({ ...at, id })).toMatchObject({ title: 'Slower search', priority: 'low' })
  })
})

onEveryStore('a refused change of one property of a ticket', (start) => {
  test('shows the ticket with the input, what is stored or wrong, and a button that saves it', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const { id } = await admin.tickets.create(at, { title: 'Slow search' })
    const path = `${board}/tickets/${id}`
    const opened = await (await member.get(path)).text()
    const propertyIn = (html: string) => {
      const form = /<form[^>]*data-refused[\s\S]*?<\/form>/.exec(html)?.[0] ?? ''
      return { form, said: readable(/<p [\s\S]*<\/p>/.exec(form)?.[0] ?? '') }
    }
    await admin.tickets.update({ ...at, id }, { priority: 'urgent' })
    const late = await member.post(path, { priority: 'low', version: versionOf(opened) })
    const conflict = propertyIn(await late.text())
    expect([late.status, conflict.said]).toEqual([412, 'Stored now: Urgent'])
    expect(conflict.form).toMatch(/<option dir="auto" value="low" selected="">/)
    expect(conflict.form).not.toContain('noscript')
    expect((await member.post(path, { priority: 'low', version: versionOf(conflict.form) })).status).toBe(303)
    expect(await admin.tickets.get({ ...at, id })).toMatchObject({ priority: 'low' })

    const wrong = await member.post(path, { category: 'x'.repeat(65) })
    const invalid = propertyIn(await wrong.text())
    expect([wrong.status, invalid.said]).toEqual([422, 'The category field must not be greater than 64 characters.'])
    expect(invalid.form).toMatch(/name="category"[^>]* value="x{65}"[^>]* autofocus[^>]* aria-invalid="true"/)
  })
})

onEveryStore('a stale form', (start) => {
  test('shows the stored values for every resource', async () => {
    const { server, admin, at, board } = await startWithMember(start)
    const person = await signedInVisitor(server, { ...at, role: 'admin', name: 'Adi' })
    const [first, second] = [
      await admin.accounts.create(at, { name: 'Fabrikam' }),
      await admin.accounts.create(at, { name: 'Contoso' }),
    ]
    const kinds = {
      tickets: await admin.tickets.create(at, { title: 'Before' }),
      tasks: await admin.tasks.create(at, { title: 'Before' }),
      deals: await admin.deals.create(at, { title: 'Before', account_id: first.id }),
    }
    const project = await admin.projects.create(at, { name: 'Before' })
    const employee = await admin.employees.create(at, { user_id: person.id })
    const device = await admin.devices.create(at, { device_name: 'Before', source_type: 'zkteco' })
    const change = {
      tickets: () => admin.tickets.update({ ...at, id: kinds.tickets.id }, { title: 'Theirs', due_at: '2999-01-02' }),
      tasks: () => admin.tasks.update({ ...at, id: kinds.tasks.id }, { title: 'Theirs', due_at: '2999-01-02' }),
      deals: () => admin.deals.update({ ...at, id: kinds.deals.id }, { title: 'Theirs', account_id: second.id }),
      projects: () => admin.projects.update({ ...at, id: project.id }, { name: 'Theirs', due_at: '2999-01-02' }),
      accounts: () => admin.accounts.update({ ...at, id: first.id }, { name: 'Theirs' }),
      employees: () => admin.employees.update({ ...at, id: employee.id }, { job_title: 'Theirs' }),
      'attendance/devices': () => admin.devices.update({ ...at, id: device.id }, { device_name: 'Theirs' }),
    }
    const forms = [
      ['tickets', kinds.tickets.id, { title: 'Mine', due_at: '' }, ['Theirs', '2999-01-02']],
      ['tasks', kinds.tasks.id, { title: 'Mine', due_at: '' }, ['Theirs', '2999-01-02']],
      ['deals', kinds.deals.id, { title: 'Mine', account_id: String(first.id) }, ['Theirs', 'Contoso']],
      ['projects', project.id, { name: 'Mine', due_at: '' }, ['Theirs', '2999-01-02']],
      ['accounts', first.id, { name: 'Mine' }, ['Theirs']],
      ['employees', employee.id, { job_title: 'Mine' }, ['Theirs']],
      ['attendance/devices', device.id, { device_name: 'Mine' }, ['Theirs']],
    ] as const
    for (const [kind, id, typed, stored] of forms) {
      const version = versionOf(await (await person.get(`${board}/${kind}/${id}/edit`)).text())
      await change[kind]()
      // An invalid form is still one of the version that the person has seen.
      const [name = ''] = Object.keys(typed)
      const invalid = await person.post(`${board}/${kind}/${id}`, { [name]: 'x'.repeat(501), version })
      expect([invalid.status, versionOf(await invalid.text())]).toEqual([422, version])
      const late = await person.post(`${board}/${kind}/${id}`, { ...typed, version })
      const html = await late.text()
      const said = [...html.matchAll(/<p class="stored"[\s\S]*?<\/p>/g)].map(([part]) => readable(part))
      expect([kind, late.status, said]).toEqual([kind, 412, stored.map((value) => `Stored now: ${value}`)])
      expect(html).toContain('value="Mine"')
    }
    const channel = await admin.channels.create(at, { name: 'Before' })
    const owner = await signedInVisitor(server, { ...at, role: 'owner', name: 'Owen' })
    const others = [
      [`messages/${channel.id}/edit`, () => admin.channels.update({ ...at, id: channel.id }, { name: 'Theirs' })],
      ['settings', () => admin.workspaces.update(at, { name: 'Theirs' })],
    ] as const
    for (const [path, changeName] of others) {
      const opened = await (await owner.get(`${board}/${path}`)).text()
      await changeName()
      const invalid = await owner.post(`${board}/${path}`, { ...fieldsOf(opened), name: '' })
      expect([invalid.status, versionOf(await invalid.text())]).toEqual([422, versionOf(opened)])
      const late = await owner.post(`${board}/${path}`, { ...fieldsOf(opened), name: 'Mine' })
      const html = await late.text()
      const said = [...html.matchAll(/<p class="stored"[\s\S]*?<\/p>/g)].map(([part]) => readable(part))
      expect([path, late.status, said]).toEqual([path, 412, ['Stored now: Theirs']])
      // Characters that no header may have.
      const tampered = await owner.post(`${board}/${path}`, { ...fieldsOf(opened), name: 'Mine', version: '\0😀' })
      expect([path, tampered.status]).toEqual([path, 412])
    }
  })

  test('of a rule keeps records that are gone, names records, and says what is wrong with each row', async () => {
    const { server, admin, at, board } = await startWithMember(start)
    const person = await signedInVisitor(server, { ...at, role: 'admin', name: 'Adi' })
    const { id: gone } = await admin.members.create(at, { name: 'Gone', email: 'gone@acme.example' })
    const { id: cam } = await admin.members.create(at, { name: 'Cam Member', email: 'cam@acme.example' })
    const channel = await admin.channels.create(at, { name: 'private' })
    await admin.channels.create(at, { name: 'general' })
    const { id } = await admin.rules.create(at, {
      name: 'Hand over',
      trigger: 'ticket_updated',
      conditions: [{ field: 'assigned_to', operator: 'equals', value: cam }],
      actions: [
        { type: 'assign', user_id: gone },
        { type: 'create_task', title: 'Look', assigned_to: gone },
        { type: 'post_message', channel_id: channel.id, body: 'Secret' },
      ],
    })
    await admin.members.delete({ ...at, id: gone })
    await admin.channels.delete({ ...at, id: channel.id })
    const path = `${board}/automation/${id}`
    const opened = await (await person.get(path)).text()
    const fields = fieldsOf(opened)
    expect(fields).toMatchObject({
      condition_0_value: 'Cam Member',
      action_0_user_id: String(gone),
      action_1_assigned_to: String(gone),
      action_2_channel_id: String(channel.id),
    })
    expect(opened).toContain('<option value="Cam Member"')
    // A name that every object has is a wrong value like others.
    const tampered = { ...fields, action_0_type: '__proto__', do: 'save' }
    expect((await person.post(path, tampered)).status).toBe(422)
    const inherited = { ...fieldsOf(await (await person.get(`${board}/automation/new`)).text()), trigger: '__proto__' }
    expect((await person.post(`${board}/automation/new`, { ...inherited, name: 'X', do: 'save' })).status).toBe(422)
    const before = await admin.rules.get({ ...at, id })
    const refused = await person.post(path, { ...fields, name: 'Renamed', do: 'save' })
    const html = await refused.text()
    expect(refused.status).toBe(422)
    expect(errorsIn(html)).toEqual([
      'This member has left the workspace: choose another.',
      'This member has left the workspace: choose another.',
      'This channel was deleted: choose another.',
    ])
    expect(fieldsOf(html)).toMatchObject({ action_0_user_id: String(gone), action_2_channel_id: String(channel.id) })
    expect(await admin.rules.get({ ...at, id })).toEqual(before)

    const conditions = (rows: readonly (readonly [string, string, string])[]) => ({
      condition_count: String(rows.length),
      ...Object.fromEntries(
        rows.flatMap(([field, operator, value], row) => [
          [`condition_${row}_field`, field],
          [`condition_${row}_operator`, operator],
          [`condition_${row}_value`, value],
        ]),
      ),
    })
    const action = { action_count: '2', action_0_type: 'add_tag', action_1_type: 'set_category' }
    const wrong = await person.post(`${board}/automation/new`, {
      ...conditions([
        ['title', 'contains', ''],
        ['title', 'greater_than', 'abc'],
        ['assigned_to', 'in', 'Cam Member, Nobody'],
      ]),
      ...action,
      ...{ name: 'New', trigger: 'ticket_created', match: 'all', do: 'save' },
    })
    expect(errorsIn(await wrong.text())).toEqual([
      'Enter a value, or choose “is set” or “is not set”.',
      'Enter a number.',
      'There is no member named “Nobody”.',
      'This field is required.',
      'This field is required.',
    ])
    // What the form shows is what it stores: equal names, names with a comma, and words of another status stay apart.
    const twins: { readonly id: number }[] = []
    for (const [index, name] of ['Kim', 'kim', 'Doe, Jane'].entries())
      twins.push(await admin.members.create(at, { name, email: `twin-${index}@acme.example` }))
    const kept = await admin.rules.create(at, {
      name: 'Kept',
      trigger: 'ticket_updated',
      conditions: [
        { field: 'assigned_to', operator: 'in', value: [gone, ...twins.map((twin) => twin.id)].map(String) },
        { field: 'status', operator: 'equals', value: 'waiting_for' },
      ],
      actions: [{ type: 'add_tag', tag: 'kept' }],
    })
    const keptPath = `${board}/automation/${kept.id}`
    const shown = fieldsOf(await (await person.get(keptPath)).text())
    expect(shown['condition_0_value']).toContain(`former member ${gone}, `)
    expect((await person.post(keptPath, { ...shown, name: 'Renamed', do: 'save' })).status).toBe(303)
    expect(await admin.rules.get({ ...at, id: kept.id })).toMatchObject({
      name: 'Renamed',
      conditions: kept.conditions,
    })
    await admin.rules.delete({ ...at, id: kept.id })
    const ambiguous = await person.post(`${board}/automation/new`, {
      ...conditions([['assigned_to', 'equals', 'Kim']]),
      ...{ action_count: '1', action_0_type: 'add_tag', action_0_tag: 'hers' },
      ...{ name: 'New', trigger: 'ticket_created', match: 'all', do: 'save' },
    })
    expect(errorsIn(await ambiguous.text())).toEqual([
      'Several are named “Kim”. Enter one of them: kim (twin-1@acme.example), Kim (twin-0@acme.example).',
    ])

    await admin.users.update({ id: cam }, { disabled: true })
    const right = await person.post(`${board}/automation/new`, {
      ...conditions([
        ['assigned_to', 'in', 'cam member'],
        ['status', 'equals', 'In progress'],
      ]),
      ...{ action_count: '1', action_0_type: 'add_tag', action_0_tag: 'hers' },
      ...{ name: 'New', trigger: 'ticket_created', match: 'all', do: 'save' },
    })
    expect(right.status).toBe(303)
    expect((await admin.rules.list(at)).data[0]?.conditions).toEqual([
      { field: 'assigned_to', operator: 'in', value: [String(cam)] },
      { field: 'status', operator: 'equals', value: 'in_progress' },
    ])
    expect(readable(await (await person.get(`${board}/automation`)).text())).toContain(
      'Assigned to is one of Cam Member and Status is In progress',
    )
  })

  test('of a rule keeps values that nobody has edited, which a control shows only in part', async () => {
    const { server, admin, at, board } = await startWithMember(start)
    const person = await signedInVisitor(server, { ...at, role: 'admin', name: 'Adi' })
    const channel = await admin.channels.create(at, { name: 'general' })
    const { id, conditions, actions } = await admin.rules.create(at, {
      name: 'Exact',
      trigger: 'ticket_updated',
      match: 'any',
      conditions: [
        { field: 'title', operator: 'in', value: ['Berlin, Mitte', 'x'] },
        { field: 'tags', operator: 'contains', value: ' spaced ' },
        { field: 'tags', operator: 'contains', value: 'spaced' },
        { field: 'title', operator: 'equals', value: 'line1\nline2' },
      ],
      actions: [
        { type: 'post_message', channel_id: channel.id, body: 'l1\nl2' },
        { type: 'create_task', title: ' Look\nat it', assigned_to: null },
      ],
    })
    const path = `${board}/automation/${id}`
    // As a browser: a text input has no line breaks, and those of a text area are sent as CRLF.
    const sent = async (response: Response) => {
      const texts = Object.entries(fieldsOf(await response.text())).map(([name, text]) => [
        name,
        String(text).replaceAll('\n', name === 'action_0_body' ? '\r\n' : ''),
      ])
      return Object.fromEntries(texts)
    }
    const fields = await sent(await person.get(path))
    expect((await person.post(path, { ...fields, name: 'Renamed', do: 'save' })).status).toBe(303)
    expect(await admin.rules.get({ ...at, id })).toMatchObject({ name: 'Renamed', match: 'any', conditions, actions })

    const again = await sent(await person.get(path))
    const removed = await sent(await person.post(path, { ...again, do: 'remove_condition:0' }))
    const edited = { ...removed, condition_1_value: 'edited', action_0_body: 'l1l2', do: 'save' }
    expect((await person.post(path, edited)).status).toBe(303)
    const [, spaced, , lines] = conditions
    expect(await admin.rules.get({ ...at, id })).toMatchObject({
      conditions: [spaced, { value: 'edited' }, lines],
      actions: [{ body: 'l1l2' }, actions[1]],
    })
    await admin.rules.update({ ...at, id }, { conditions: conditions.slice(0, 1) })
    const single = await sent(await person.get(path))
    expect((await person.post(path, { ...single, name: 'Single', do: 'save' })).status).toBe(303)
    expect(await admin.rules.get({ ...at, id })).toMatchObject({ name: 'Single', match: 'any' })
  })

  test('of a record keeps the line breaks and spaces of a text that nobody has edited', async () => {
    const { server, admin, at, board } = await startWithMember(start)
    const person = await signedInVisitor(server, { ...at, role: 'admin', name: 'Adi' })
    const { id } = await admin.tickets.create(at, { title: 'Line 1\nLine 2' })
    const sent = { title: 'Line 1Line 2', category: 'billing' }
    expect((await person.post(`${board}/tickets/${id}`, sent)).status).toBe(303)
    expect(await admin.tickets.get({ ...at, id })).toMatchObject({ title: 'Line 1\nLine 2', category: 'billing' })
    const account = await admin.accounts.create(at, { name: 'Acme\nInc.' })
    expect((await person.post(`${board}/accounts/${account.id}`, { name: 'AcmeInc.' })).status).toBe(303)
    expect(await admin.accounts.get({ ...at, id: account.id })).toMatchObject({ name: 'Acme\nInc.' })
  })

  test('of SLA targets changes only edited targets, and none that another person has changed', async () => {
    const { server, admin, at, board } = await startWithMember(start)
    const person = await signedInVisitor(server, { ...at, role: 'admin', name: 'Adi' })
    const path = `${board}/automation/sla`
    const fieldsOf = (html: string) =>
      Object.fromEntries(
        [...html.matchAll(/<input [^>]*>/g)].flatMap(([input]) => {
          const [name = '', value = ''] = [/ name="([^"]+)"/, / value="([^"]*)"/].map((part) => part.exec(input)?.[1])
          return /_minutes$/.test(name) ? [[name, value]] : []
        }),
      )
    const policy = (priority: string) => admin.slaPolicies.get({ ...at, priority })
    const opened = fieldsOf(await (await person.get(path)).text())
    const theirs = { first_response_minutes: 5, resolution_minutes: 50 }
    await admin.slaPolicies.update({ ...at, priority: 'high' }, theirs)
    expect((await person.post(path, { ...opened, low_resolution_minutes: '90' })).status).toBe(303)
    expect([await policy('high'), await policy('low')]).toMatchObject([theirs, { resolution_minutes: 90 }])

    const late = await person.post(path, { ...opened, high_resolution_minutes: '70', low_resolution_minutes: '90' })
    const html = await late.text()
    expect(late.status).toBe(412)
    expect(html).toContain('Someone else has changed this record.')
    expect([...html.matchAll(/<p class="stored"[\s\S]*?<\/p>/g)].map(([part]) => readable(part))).toEqual([
      'Stored now: 50',
    ])
    expect(await policy('high')).toMatchObject(theirs)
    const again = fieldsOf(html)
    expect(again).toMatchObject({ high_first_response_minutes: '5', high_resolution_minutes: '70' })
    expect((await person.post(path, again)).status).toBe(303)
    expect(await policy('high')).toMatchObject({ ...theirs, resolution_minutes: 70 })
    const partly = {
      ...again,
      low_resolution_minutes: '91',
      high_resolution_minutes: '-5',
      was_high_resolution_minutes: '70',
    }
    const answer = await person.post(path, partly)
    expect([answer.status, (await answer.text()).includes('Your changes to the other priorities are saved.')]).toEqual([
      422,
      true,
    ])
    expect([await policy('high'), await policy('low')]).toMatchObject([
      { resolution_minutes: 70 },
      { resolution_minutes: 91 },
    ])
  })

  test('of a rule shows the rule that another person has stored', async () => {
    const { server, admin, at, board } = await startWithMember(start)
    const person = await signedInVisitor(server, { ...at, role: 'admin', name: 'Adi' })
    const { id } = await admin.rules.create(at, {
      name: 'Urgent',
      trigger: 'ticket_created',
      actions: [{ type: 'set_priority', priority: 'urgent' }],
    })
    const path = `${board}/automation/${id}`
    const opened = await (await person.get(path)).text()
    const fields = { ...fieldsOf(opened), version: versionOf(opened), do: 'save' }
    await admin.rules.update(
      { ...at, id },
      { name: 'Checkout only', conditions: [{ field: 'title', operator: 'contains', value: 'checkout' }] },
    )
    const invalid = await person.post(path, { ...fields, name: '' })
    expect([invalid.status, versionOf(await invalid.text())]).toEqual([422, fields.version])
    const late = await person.post(path, { ...fields, name: 'Very urgent' })
    const html = await late.text()
    expect(late.status).toBe(412)
    expect(readable(html)).toContain('Stored now: Checkout only , Title contains checkout → ')
    expect(html).toContain('value="Very urgent"')
    expect((await admin.rules.get({ ...at, id })).name).toBe('Checkout only')
  })

  test('of a mapping keeps the draft and does not replace the mapping of another person', async () => {
    const { server, admin, at, board } = await startWithMember(start)
    const person = await signedInVisitor(server, { ...at, role: 'admin', name: 'Adi' })
    const errors = { ...at, integration: 'errors' } as const
    await admin.integrations.update(errors, { enabled: true })
    await admin.leadSources.update({ ...at, source: 'website' }, { enabled: true })
    const change = { fields: { message: 'theirs' } }
    const cases = [
      ['integrations/errors', 'fields.app', () => admin.integrations.update(errors, { mapping: change })],
      [
        'lead-sources/website',
        'fields.name',
        () => admin.leadSources.update({ ...at, source: 'website' }, { mapping: { fields: { phone: 'theirs' } } }),
      ],
    ] as const
    for (const [source, field, changeMapping] of cases) {
      const path = `${board}/${source}/mapping`
      const version = versionOf(await (await person.get(path)).text())
      const before = await changeMapping()
      const draft = { draft: '1', [field]: 'mine' }
      const preview = `${path}?${new URLSearchParams({ ...draft, version })}`
      expect(versionOf(await (await person.get(preview)).text())).toBe(version)
      const late = await person.post(path, { ...draft, version })
      const html = await late.text()
      expect(late.status).toBe(412)
      expect(html).toContain('Someone else has changed this record.')
      expect(html).toContain('value="mine"')
      expect(readable(html)).toMatch(/Stored now: (?:Message|Phone) theirs/)
      const stored = async () => {
        const { data } = source.startsWith('lead')
          ? await admin.leadSources.list(at)
          : await admin.integrations.list(at)
        return JSON.stringify(data)
      }
      expect(await stored()).toContain(JSON.stringify(before.mapping))
      expect((await person.post(path, { ...draft, version: versionOf(html) })).status).toBe(303)
      expect(await stored()).toContain('"mine"')
    }
  })
})
