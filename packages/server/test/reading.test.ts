import { Deal, Employee, Project } from '@service/contract'
import { expect, test } from 'vitest'
import { documentedFields } from './documented-fields.ts'
import { onEveryStore } from './on-every-store.ts'
import { clientOf, queued, seedWorkspace } from './workspace.ts'

const instant = expect.stringMatching(/^2026-11-20T18:51:53\.\d{6}Z$/)

onEveryStore('listing projects', (start) => {
  test('returns the documented fields, null if unset, and queues no event', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server)
    const workspace_id = seeded.workspace.id
    await server.admin.projects.create({ workspace: workspace_id }, { name: 'Bare' })
    await server.admin.projects.create(
      { workspace: workspace_id },
      { name: 'Full', status: 'planning', color: '#2f6fed', starts_at: '2026-09-01', due_at: '2026-12-18' },
    )
    expect(await clientOf(server, seeded).projects.list()).toEqual([
      documentedFields(Project, {
        id: 2,
        name: 'Full',
        status: 'planning',
        color: '#2f6fed',
        starts_at: '2026-09-01',
        due_at: '2026-12-18',
        created_at: instant,
      }),
      documentedFields(Project, { id: 1, name: 'Bare', status: 'active', created_at: instant }),
    ])
    expect(await queued(server, seeded.workspace)).toEqual([])
  })

  test('never returns those of another workspace', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server, { name: 'Acme' })
    const other = await seedWorkspace(server, { name: 'Umbrella' })
    await server.admin.projects.create({ workspace: other.workspace.id }, { name: 'Theirs' })
    expect(await clientOf(server, seeded).projects.list()).toEqual([])
  })
})

onEveryStore('listing employees', (start) => {
  test('returns the documented profile with its user, null if unset, and queues no event', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server)
    const workspace_id = seeded.workspace.id
    const ben = await server.admin.members.create(
      { workspace: workspace_id },
      { name: 'Ben Ito', email: ' Ben@Acme.Example ' },
    )
    await server.admin.employees.create({ workspace: workspace_id }, { user_id: ben.id })
    await server.admin.employees.create(
      { workspace: workspace_id },
      {
        user_id: seeded.member.id,
        employee_code: 'E-7',
        attendance_uid: '1007',
        department: 'Operations',
        job_title: 'Engineer',
        employment_type: 'full_time',
        joined_at: '2024-03-01',
      },
    )
    expect(await clientOf(server, seeded).hrms.employees.list()).toEqual([
      documentedFields(Employee, {
        id: 2,
        user_id: seeded.member.id,
        employee_code: 'E-7',
        attendance_uid: '1007',
        department: 'Operations',
        job_title: 'Engineer',
        employment_type: 'full_time',
        joined_at: '2024-03-01',
        user: { id: seeded.member.id, name: 'Ada Obi', email: 'ada@acme.example' },
      }),
      documentedFields(Employee, {
        id: 1,
        user_id: ben.id,
        user: { id: ben.id, name: 'Ben Ito', email: 'ben@acme.example' },
      }),
    ])
    expect(await queued(server, seeded.workspace)).toEqual([])
  })

  test('returns one person in two workspaces with the profile of each', async () => {
    const server = await start()
    const acme = await seedWorkspace(server, { name: 'Acme' })
    const umbrella = await seedWorkspace(server, { name: 'Umbrella' })
    const { id: user_id } = await server.admin.members.create(
      { workspace: umbrella.workspace.id },
      { name: 'Ada Obi', email: 'ada@acme.example' },
    )
    await server.admin.employees.create({ workspace: acme.workspace.id }, { user_id, employee_code: 'A-1' })
    await server.admin.employees.create({ workspace: umbrella.workspace.id }, { user_id, employee_code: 'U-1' })
    const codes = async (seeded: typeof acme) =>
      (await clientOf(server, seeded).hrms.employees.list()).map(({ employee_code }) => employee_code)
    expect(user_id).toBe(acme.member.id)
    expect([await codes(acme), await codes(umbrella)]).toEqual([['A-1'], ['U-1']])
  })
})

onEveryStore('listing deals', (start) => {
  test('returns the documented fields with account and owner, null if unset, and queues no event', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server)
    const workspace_id = seeded.workspace.id
    const account = await server.admin.accounts.create({ workspace: workspace_id }, { name: 'Northwind' })
    await server.admin.deals.create({ workspace: workspace_id }, { title: 'Bare' })
    await server.admin.deals.create(
      { workspace: workspace_id },
      {
        title: 'Full',
        stage: 'negotiation',
        amount: 1234.5,
        account_id: account.id,
        owner_id: seeded.member.id,
        expected_close_at: '2026-12-31',
      },
    )
    expect(await clientOf(server, seeded).crm.deals.list()).toEqual([
      documentedFields(Deal, {
        id: 2,
        title: 'Full',
        stage: 'negotiation',
        amount: '1234.50',
        account_id: account.id,
        owner_id: seeded.member.id,
        expected_close_at: '2026-12-31',
        created_at: instant,
        account: { id: account.id, name: 'Northwind' },
        owner: { id: seeded.member.id, name: 'Ada Obi' },
      }),
      documentedFields(Deal, { id: 1, title: 'Bare', stage: 'prospecting', created_at: instant }),
    ])
    expect(await queued(server, seeded.workspace)).toEqual([])
  })

  test('never returns those of another workspace', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server, { name: 'Acme' })
    const other = await seedWorkspace(server, { name: 'Umbrella' })
    await server.admin.deals.create({ workspace: other.workspace.id }, { title: 'Theirs' })
    expect(await clientOf(server, seeded).crm.deals.list()).toEqual([])
  })
})
