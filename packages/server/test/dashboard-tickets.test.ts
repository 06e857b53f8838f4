import { expect, test } from 'vitest'
import type { Server } from '../src/index.ts'
import { signedInVisitor } from './dashboard-person.ts'
import { onEveryStore } from './on-every-store.ts'

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

  test('has views with counts up to 99', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const views = async () => {
      const html = await (await member.get(`${board}/tickets`)).text()
      return readable(/<nav class="tabs"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '')
    }
    expect(await views()).toBe('Unassigned 0 Overdue 0 SLA at risk 0 Mine 0 All 0')
    await admin.tickets.create(at, { title: 'T', assigned_to: member.id, due_at: '2020-01-01' })
    for (let created = 0; created < 100; created += 1) await admin.tickets.create(at, { title: 'T' })
    expect(await views()).toBe('Unassigned 99+ Overdue 1 SLA at risk 0 Mine 1 All 99+')
  })
})

onEveryStore('a ticket', (start) => {
  test('can be edited inline, by members only', async () => {
    const { server, admin, at, member, board } = await startWithMember(start)
    const { id } = await admin.tickets.create(at, { title: 'Slow search', description: 'Long.', tags: ['search'] })
    const path = `${board}/tickets/${id}`
    for (const [name, value] of [
      ['status', 'in_progress'],
      ['priority', 'urgent'],
      ['assigned_to', String(member.id)],
      ['due_at', '2999-12-31'],
    ] as const) {
      const html = await (await member.get(path)).text()
      expect(html).toMatch(new RegExp(`<form [^>]*data-save[^>]*>(?:(?!</form>)[\\s\\S])*name="${name}"`))
      const answer = await member.post(path, { [name]: value, version: versionOf(html) })
      expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
    }
    expect(await admin.tickets.get({ ...at, id })).toMatchObject({
      title: 'Slow search',
      description: 'Long.',
      tags: ['search'],
      status: 'in_progress',
      priority: 'urgent',
      assigned_to: member.id,
      due_at: '2999-12-31',
    })
    const viewer = await signedInVisitor(server, { ...at, role: 'viewer', name: 'Vic' })
    expect(await (await viewer.get(path)).text()).not.toContain('data-save')
    expect((await viewer.post(path, { status: 'closed' })).status).toBe(403)
  })

  test('changed by someone else in the meantime is shown with the stored values next to the input', async () => {
    const { admin, at, member, board } = await startWithMember(start)
    const { id } = await admin.tickets.create(at, { title: 'Slow search', description: 'Long.', tags: ['search'] })
    const path = `${board}/tickets/${id}`
    const version = versionOf(await (await member.get(path)).text())
    await admin.tickets.update({ ...at, id }, { priority: 'urgent', title: 'Slower search' })
    const late = await member.post(path, { priority: 'low', version })
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
      const late = await person.post(`${board}/${kind}/${id}`, { ...typed, version })
      const html = await late.text()
      const said = [...html.matchAll(/<p class="stored"[\s\S]*?<\/p>/g)].map(([part]) => readable(part))
      expect([kind, late.status, said]).toEqual([kind, 412, stored.map((value) => `Stored now: ${value}`)])
      expect(html).toContain('value="Mine"')
    }
  })
})
