import { apiRoutes, CreatedTicket, Ticket } from '@service/contract'
import { expect, test } from 'vitest'
import { documentedFields } from './documented-fields.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { onDisk, startWithTables } from './tables.ts'
import { call, clientOf, queued, seedWorkspace } from './workspace.ts'

const instant = expect.stringMatching(/^2026-11-20T18:51:53\.\d{6}Z$/)

onEveryStore('creating a ticket', (start) => {
  test('returns 201 with the documented shape and queues ticket.created', async () => {
    const server = await start()
    const { workspace, member, token } = await seedWorkspace(server)
    const project = await server.admin.projects.create({ workspace: workspace.id }, { name: 'Site' })
    const { status, body } = await call(server, {
      method: 'POST',
      path: `/api/v1/workspaces/${workspace.id}/tickets`,
      token,
      body: {
        title: 'Broken',
        priority: 'high',
        assigned_to: member.id,
        project_id: project.id,
        tags: ['a', 'b'],
        due_at: '2026-12-01',
      },
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      data: documentedFields(CreatedTicket, {
        id: 1,
        ticket_number: 'TKT-00001',
        title: 'Broken',
        status: 'open',
        priority: 'high',
        category: null,
        assigned_to: member.id,
        created_by: member.id,
        created_at: instant,
        assignee: { id: member.id, name: 'Ada Obi' },
        creator: { id: member.id, name: 'Ada Obi' },
        project: { id: project.id, name: 'Site' },
      }),
    })
    expect(await queued(server, workspace)).toEqual([
      {
        event: 'ticket.created',
        workspace_id: workspace.id,
        timestamp: '2026-11-20T18:51:53+00:00',
        ticket: { id: 1, ticket_number: 'TKT-00001', title: 'Broken', status: 'open', priority: 'high' },
      },
    ])
  })

  test('requires only a title; priority defaults to medium, other fields to null', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server)
    expect(await clientOf(server, seeded).tickets.create({ title: 'Broken' })).toEqual(
      documentedFields(CreatedTicket, {
        id: 1,
        ticket_number: 'TKT-00001',
        title: 'Broken',
        status: 'open',
        priority: 'medium',
        created_by: seeded.member.id,
        created_at: instant,
        creator: { id: seeded.member.id, name: 'Ada Obi' },
      }),
    )
  })

  test('treats null in optional fields as omitted', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server)
    const ticket = await clientOf(server, seeded).tickets.create({
      title: 'Broken',
      description: null,
      priority: null,
      category: null,
      assigned_to: null,
      project_id: null,
      due_at: null,
      tags: null,
    })
    expect(ticket).toMatchObject({ priority: 'medium', category: null, assignee: null, project: null })
  })

  test('numbers tickets per workspace', async () => {
    const server = await start()
    const acme = clientOf(server, await seedWorkspace(server, { name: 'Acme' }))
    const umbrella = clientOf(server, await seedWorkspace(server, { name: 'Umbrella' }))
    const tickets = [
      await acme.tickets.create({ title: 'a' }),
      await umbrella.tickets.create({ title: 'b' }),
      await acme.tickets.create({ title: 'c' }),
    ]
    expect(tickets.map(({ id, ticket_number }) => [id, ticket_number])).toEqual([
      [1, 'TKT-00001'],
      [2, 'TKT-00001'],
      [3, 'TKT-00002'],
    ])
  })
})

onEveryStore(
  'a created ticket',
  (_start, store) => {
    test('stores description, ordered tags, and due date, which responses omit', async () => {
      const { server, tables } = await startWithTables(store)
      const seeded = await seedWorkspace(server)
      const client = clientOf(server, seeded)
      const fields = { title: 'Broken', description: 'The hinge', tags: ['b', 'a', 'b'], due_at: '2026-12-01' }
      const responses = [await client.tickets.create(fields), ...(await client.tickets.list())]
      expect(responses.flatMap((ticket) => Object.keys(ticket)).filter((key) => key in fields)).toEqual([
        'title',
        'title',
      ])
      expect(await tables.rows('select description, due_at, tags from tickets')).toEqual([
        { description: 'The hinge', due_at: '2026-12-01', tags: '["b","a","b"]' },
      ])
    })

    test('formats numbers above 99,999 with six digits', async () => {
      const { server, tables } = await startWithTables(store)
      const seeded = await seedWorkspace(server)
      await tables.rows(
        `insert into ticket_counters (workspace_id, last_number) values (${seeded.workspace.id}, 99998)`,
      )
      const client = clientOf(server, seeded)
      await client.tickets.create({ title: 'a' })
      await client.tickets.create({ title: 'b' })
      const tickets = await client.tickets.list()
      expect(tickets.map(({ ticket_number }) => ticket_number)).toEqual(['TKT-100000', 'TKT-99999'])
    })
  },
  onDisk,
)

onEveryStore('listing tickets', (start) => {
  test('returns the documented fields: updated_at, but not project', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server)
    const client = clientOf(server, seeded)
    await client.tickets.create({ title: 'Bare' })
    await client.tickets.create({ title: 'Full', category: 'hardware', assigned_to: seeded.member.id })
    const person = { id: seeded.member.id, name: 'Ada Obi' }
    const times = { created_at: instant, updated_at: instant }
    const core = { status: 'open', priority: 'medium', created_by: person.id, creator: person, ...times }
    expect(await client.tickets.list()).toEqual([
      documentedFields(Ticket, {
        ...core,
        id: 2,
        ticket_number: 'TKT-00002',
        title: 'Full',
        category: 'hardware',
        assigned_to: person.id,
        assignee: person,
      }),
      documentedFields(Ticket, { ...core, id: 1, ticket_number: 'TKT-00001', title: 'Bare' }),
    ])
  })

  test('includes tickets without a creator and the time of the last change', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const seeded = await seedWorkspace(server)
    const workspace_id = seeded.workspace.id
    const { id } = await server.admin.tickets.create({ workspace: workspace_id }, { title: 'Without a creator' })
    clock.advance(60_000_000)
    await server.admin.tickets.update({ workspace: workspace_id, id }, { status: 'resolved' })
    const [ticket] = await clientOf(server, seeded).tickets.list()
    expect(ticket).toMatchObject({ status: 'resolved', created_by: null, creator: null })
    expect(ticket?.created_at).toMatch(/^2026-11-20T18:51:53/)
    expect(ticket?.updated_at).toMatch(/^2026-11-20T18:52:53/)
  })

  test('returns an empty list for a workspace without tickets, even if others have some', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server, { name: 'Acme' })
    const other = await seedWorkspace(server, { name: 'Umbrella' })
    await clientOf(server, other).tickets.create({ title: 'Theirs' })
    expect(await clientOf(server, seeded).tickets.list()).toEqual([])
    expect(await queued(server, seeded.workspace)).toEqual([])
  })
})

onEveryStore('every list', (start) => {
  test('returns at most the 50 newest records, newest first', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server, { name: 'Acme' })
    const other = await seedWorkspace(server, { name: 'Umbrella' })
    for (let number = 1; number <= 52; number += 1) await createOneOfEach(server, seeded.workspace.id, number)
    await createOneOfEach(server, other.workspace.id, 53)
    const client = clientOf(server, seeded)
    const numbers = Array.from({ length: 50 }, (_, index) => 52 - index)
    expect((await client.tickets.list()).map(({ title }) => title)).toEqual(numbers.map((number) => `No ${number}`))
    expect((await client.projects.list()).map(({ name }) => name)).toEqual(numbers.map((number) => `No ${number}`))
    expect((await client.crm.deals.list()).map(({ title }) => title)).toEqual(numbers.map((number) => `No ${number}`))
    const employees = await client.hrms.employees.list()
    expect(employees.map(({ employee_code }) => employee_code)).toEqual(numbers.map((number) => `E-${number}`))
    expect(apiRoutes.filter(({ method }) => method === 'GET')).toHaveLength(4)
  })

  type Server = Awaited<ReturnType<typeof start>>

  async function createOneOfEach({ admin }: Server, workspace_id: number, number: number) {
    await admin.tickets.create({ workspace: workspace_id }, { title: `No ${number}` })
    await admin.projects.create({ workspace: workspace_id }, { name: `No ${number}` })
    await admin.deals.create({ workspace: workspace_id }, { title: `No ${number}` })
    const email = `person-${number}@people.example`
    const { id: user_id } = await admin.members.create({ workspace: workspace_id }, { name: `Person ${number}`, email })
    await admin.employees.create({ workspace: workspace_id }, { user_id, employee_code: `E-${number}` })
  }
})
