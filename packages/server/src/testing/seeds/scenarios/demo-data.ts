import type { Admin } from '@service/client/admin'
import { gitProviders, leadSources, liveScopes } from '@service/contract'

/** What a person or a tool needs to use the demo workspace; the keys are those of the `ready` line. */
export interface DemoCredentials {
  readonly workspace: number
  readonly token: string
  readonly secrets: {
    readonly errors: string
    readonly attendance: string
    readonly device: string
    readonly leads: Readonly<Record<string, string>>
  }
  readonly device: { readonly id: number; readonly source_type: string; readonly external_device_id: string }
  readonly employee: {
    readonly user_id: number
    readonly employee_code: string
    readonly attendance_uid: string
    readonly email: string
  }
}

const people = [
  { name: 'Amara Okafor', email: 'amara@demo.example', role: 'owner' },
  { name: 'Bruno Silva', email: 'bruno@demo.example', role: 'admin' },
  { name: 'Chen Wei', email: 'chen@demo.example', role: 'member' },
  { name: 'Dana Kim', email: 'dana@demo.example', role: 'member' },
] as const

const deviceKind = { source_type: 'zkteco', external_device_id: 'DEMO-DOOR-1' }

/** Fills a workspace with people, projects, employees, a device, deals, lead sources and tickets. */
export async function seedDemo(admin: Admin): Promise<DemoCredentials> {
  const { id: workspace_id } = await admin.workspaces.create({ name: 'Demo', currency: 'EUR' })
  const members = await inOrder(people, (person) => admin.members.create({ workspace: workspace_id }, { ...person }))
  const [owner] = members
  if (owner === undefined) throw new Error('The demo has no people.')
  const employee = await seedEmployees(admin, workspace_id, members)
  await seedWork(admin, workspace_id, members)
  const device = await admin.devices.create({ workspace: workspace_id }, { device_name: 'Front door', ...deviceKind })
  const { token } = await admin.tokens.create(
    { workspace: workspace_id },
    { user_id: owner.id, name: 'Demo', scopes: [...liveScopes] },
  )
  return {
    workspace: workspace_id,
    token,
    secrets: await issueSecrets(admin, workspace_id, device.id),
    device: { id: device.id, ...deviceKind },
    employee,
  }
}

type Members = readonly { readonly id: number; readonly email: string }[]

async function seedEmployees(
  admin: Admin,
  workspace_id: number,
  members: Members,
): Promise<DemoCredentials['employee']> {
  const departments = ['Operations', 'Engineering', 'Engineering', 'Sales']
  const titles = ['Head of operations', 'Engineer', 'Engineer', 'Account manager']
  const profiles = members.map(({ id, email }, index) => ({
    user_id: id,
    email,
    employee_code: `E-${String(index + 1).padStart(3, '0')}`,
    attendance_uid: String(1001 + index),
    department: departments[index] ?? null,
    job_title: titles[index] ?? null,
    employment_type: index === 3 ? 'part_time' : 'full_time',
    joined_at: `202${index + 1}-03-01`,
  }))
  await inOrder(profiles, ({ email: _, ...profile }) =>
    admin.employees.create({ workspace: workspace_id }, { ...profile }),
  )
  const [first] = profiles
  if (first === undefined) throw new Error('The demo has no employees.')
  const { user_id, employee_code, attendance_uid, email } = first
  return { user_id, employee_code, attendance_uid, email }
}

async function seedWork(admin: Admin, workspace_id: number, members: Members): Promise<void> {
  const [owner, engineer] = members
  const site = await admin.projects.create(
    { workspace: workspace_id },
    { name: 'New website', color: '#2f6fed', starts_at: '2026-09-01', due_at: '2026-12-18' },
  )
  await admin.projects.create(
    { workspace: workspace_id },
    { name: 'Office move', status: 'planning', color: '#c2571a' },
  )
  const account = await admin.accounts.create({ workspace: workspace_id }, { name: 'Northwind Traders' })
  await admin.deals.create(
    { workspace: workspace_id },
    {
      title: 'Yearly support',
      stage: 'negotiation',
      amount: 12_500,
      account_id: account.id,
      owner_id: owner?.id,
      expected_close_at: '2026-12-31',
    },
  )
  await admin.deals.create(
    { workspace: workspace_id },
    { title: 'Pilot', stage: 'prospecting', amount: 1_800.5, account_id: account.id },
  )
  const ticket = await admin.tickets.create(
    { workspace: workspace_id },
    {
      title: 'Checkout fails for guests',
      priority: 'high',
      category: 'bug',
      assigned_to: engineer?.id,
      created_by: owner?.id,
      project_id: site.id,
      tags: ['checkout'],
    },
  )
  await admin.tasks.create(
    { workspace: workspace_id },
    {
      title: 'Reproduce the guest checkout',
      ticket_id: ticket.id,
      project_id: site.id,
      assigned_to: engineer?.id,
      created_by: owner?.id,
    },
  )
}

async function issueSecrets(admin: Admin, workspace_id: number, deviceId: number): Promise<DemoCredentials['secrets']> {
  const errors = await admin.integrations.rotateSecret({ workspace: workspace_id, integration: 'errors' })
  const attendance = await admin.integrations.rotateSecret({ workspace: workspace_id, integration: 'attendance' })
  const device = await admin.devices.rotateSecret({ workspace: workspace_id, id: deviceId })
  await inOrder(gitProviders, (provider) =>
    admin.integrations.update(
      { workspace: workspace_id, integration: provider },
      { enabled: true, open_tickets: true },
    ),
  )
  const leads = await inOrder(leadSources, async (source) => {
    await admin.leadSources.update({ workspace: workspace_id, source }, { enabled: true })
    const { secret } = await admin.leadSources.rotateSecret({ workspace: workspace_id, source })
    return [source, secret] as const
  })
  return {
    errors: errors.secret,
    attendance: attendance.secret,
    device: device.secret,
    leads: Object.fromEntries(leads),
  }
}

/** One after the other, so that ids and "newest first" are the same in every demo. */
async function inOrder<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}
