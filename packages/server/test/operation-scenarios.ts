import assert from 'node:assert/strict'
import type { Admin } from '@service/client/admin'
import type { AdminInterface } from './admin-interfaces.ts'
import { codeOf, goodPassword } from './people.ts'

// Calls each operation of administration at least once, in an order in which each finds its data. every-operation.test.ts
// compares the results between the interfaces, so these scenarios check little themselves. The examples of the site's
// reference are recorded from them.

/** Operations that the command line has too. */
export async function runCliOperations({ admin, fetch }: AdminInterface): Promise<void> {
  await admin.setupLinks.create()
  const workspace = await runPeople(admin)
  await runIntegrations(admin, workspace, fetch)
  await runAttendanceSetUp(admin, workspace)
  await runWebhooks(admin, workspace)
  await admin.auditLog.list({ workspace }, { operation: 'members.update' })
  await admin.auditLog.listAll({ operation: 'devices.update', limit: 5 })
  await admin.system.tables()
}

/** Operations that the command line does not have. */
export async function runOtherOperations(adminInterface: AdminInterface): Promise<void> {
  const { admin } = adminInterface
  await runSignIn(adminInterface)
  const { id: workspace } = await admin.workspaces.create({ name: 'Umbrella' })
  const { id: member } = await admin.members.create({ workspace }, { name: 'Mateo', email: 'mateo@umbrella.test' })
  await runWork(admin, { workspace, member })
  await runMessages(admin, workspace)
  await runAutomation(admin, { workspace, member })
  await runCustomers(adminInterface, workspace)
  await runReports(adminInterface, workspace)
  await runPunches(adminInterface, workspace)
  await admin.overview.get({ workspace }, {})
  await admin.system.get()
  await admin.system.prune()
  await admin.backups.create()
  await admin.backups.list()
  await admin.encryptionKey.rotate()
  await admin.encryptionKey.reencrypt()
}

async function runPeople(admin: Admin): Promise<number> {
  const { id: workspace } = await admin.workspaces.create({ name: 'Northwind', time_zone: 'Europe/Berlin' })
  const at = { workspace }
  await admin.workspaces.update(at, { name: 'Northwind Traders' })
  await admin.workspaces.get(at)
  await admin.workspaces.list({ limit: 1 })
  const ada = await admin.users.create({ name: 'Ada Obi', email: 'Ada@northwind.test', is_instance_admin: true })
  await expectError(409, admin.users.create({ name: 'Ada', email: 'ada@northwind.test' }))
  await admin.users.get({ id: ada.id })
  await admin.users.update({ id: ada.id }, { name: 'Ada B. Obi', disabled: true })
  await admin.users.update({ id: ada.id }, { disabled: false })
  await admin.users.list({ limit: 10 })
  await admin.users.resetPassword({ id: ada.id })
  await admin.users.signInLink({ id: ada.id })
  const owner = await admin.members.create(at, { name: 'Ben', email: 'ben@northwind.test', role: 'owner' })
  await expectError(409, admin.members.create(at, { name: 'Ben', email: 'ben@northwind.test' }))
  await expectError(409, admin.members.delete({ ...at, id: owner.id }))
  const member = await admin.members.create(at, { name: 'Ada', email: 'ada@northwind.test' })
  await admin.members.update({ ...at, id: member.id }, { role: 'viewer' })
  await admin.members.get({ ...at, id: member.id })
  await admin.members.list(at, { limit: 1 })
  await admin.invitations.create({ ...at, id: member.id })
  const scopes: ['tickets:read', 'webhooks:manage'] = ['tickets:read', 'webhooks:manage']
  const expires_at = '2199-01-01T00:00:00Z'
  const token = await admin.tokens.create(at, { user_id: member.id, scopes, name: "Ben's shop", expires_at })
  await admin.tokens.get({ ...at, id: token.id })
  await admin.tokens.list(at, {})
  await admin.tokens.revoke({ ...at, id: token.id })
  await admin.members.delete({ ...at, id: member.id })
  return workspace
}

async function runIntegrations(admin: Admin, workspace: number, fetch: AdminInterface['fetch']): Promise<void> {
  const at = { workspace }
  await admin.integrations.update({ ...at, integration: 'github' }, { open_tickets: true, secret: 'of the provider' })
  await admin.integrations.update({ ...at, integration: 'github' }, { secret: null, enabled: false })
  await admin.integrations.get({ ...at, integration: 'github' })
  await admin.integrations.list(at)
  const { secret } = await admin.integrations.rotateSecret({ ...at, integration: 'errors' })
  const errors = { ...at, integration: 'errors' } as const
  const report = { message: 'Out of paper', exception: 'PrinterError', app: 'shop' }
  await admin.integrations.update(errors, { mapping: { ignore_when: "app == 'shop'" }, max_new_tickets: 5 })
  await postInbound(fetch, `/api/webhooks/${workspace}/errors`, secret, report)
  await admin.integrations.update(errors, { mapping: null })
  const [ignored = { id: 0 }] = (await admin.inboundDeliveries.list(at, { integration: 'errors' })).data
  await admin.inboundDeliveries.get({ ...at, id: ignored.id })
  await admin.inboundDeliveries.replay({ ...at, id: ignored.id })
  await admin.integrations.update({ ...at, integration: 'errors' }, { enabled: false })
  await expectError(409, admin.inboundDeliveries.replay({ ...at, id: ignored.id }))
  await admin.integrations.update({ ...at, integration: 'errors' }, { enabled: true })
  const person = { who: 'Kim', email: 'kim@globex.test' }
  await admin.leadSources.explain({ ...at, source: 'website' }, { body: person, mapping: { fields: { name: 'who' } } })
  await admin.leadSources.rotateSecret({ ...at, source: 'website' })
  await admin.leadSources.update({ ...at, source: 'website' }, { enabled: false })
  await admin.leadSources.get({ ...at, source: 'website' })
  await admin.leadSources.list(at)
}

async function runAttendanceSetUp(admin: Admin, workspace: number): Promise<void> {
  const at = { workspace }
  const profile = { employee_code: '0012', department: 'Packing, night', joined_at: '2026-11-02' }
  const { id } = await admin.employees.create(at, { name: 'Mia', email: 'mia@northwind.test', ...profile })
  await expectError(
    409,
    admin.employees.create(at, { name: 'Max', email: 'max@northwind.test', employee_code: '0012' }),
  )
  await admin.employees.update({ ...at, id }, { job_title: 'Packer', department: null })
  await admin.employees.get({ ...at, id })
  await admin.employees.list(at, { search: 'mia' })
  await admin.employees.delete({ ...at, id })
  const door = { source_type: 'zkteco', external_device_id: '007', device_name: 'Front door' }
  const device = await admin.devices.create(at, door)
  await expectError(409, admin.devices.create(at, door))
  await admin.devices.update({ ...at, id: device.id }, { device_name: 'Back door' })
  await admin.devices.rotateSecret({ ...at, id: device.id })
  await admin.devices.get({ ...at, id: device.id })
  await admin.devices.list(at, {})
  await admin.devices.delete({ ...at, id: device.id })
  const { id: employee_id } = await admin.employees.create(at, { name: 'Pia', email: 'pia@northwind.test' })
  const gate = { source_type: 'zkteco', external_device_id: '008', device_name: 'Gate' }
  const { id: device_id } = await admin.devices.create(at, gate)
  const missed = { employee_id, device_id, direction: 'out', at: '2026-11-20T17:00:00Z', reason: 'Forgotten' } as const
  const { id: punch } = await admin.punches.create(at, missed)
  await admin.punches.get({ ...at, id: punch })
  await admin.punches.update({ ...at, id: punch }, { at: '2026-11-20T17:30:00Z' })
  await admin.punches.delete({ ...at, id: punch })
  await admin.punches.list(at, {})
}

async function runWebhooks(admin: Admin, workspace: number): Promise<void> {
  const at = { workspace }
  const since = '2026-01-01T00:00:00Z'
  const settings = { headers: { 'X-Team': 'a, b' }, schedule: [5, 60], rate_per_minute: 60, standard_webhooks: true }
  const { id } = await admin.webhooks.create(at, { url: 'https://hooks.example.com/a', events: ['*'], ...settings })
  const one = { ...at, id }
  await admin.webhooks.enable(one)
  // Disabled, so that nothing is sent and the results do not depend on a receiver.
  await admin.webhooks.disable(one)
  await admin.events.trigger(at, { event: 'task.created' })
  await admin.webhooks.update(one, { description: 'Of the shop', events: ['ticket.*', 'task.created'], schedule: null })
  await admin.webhooks.rotateSecret(one, { overlap_hours: 1 })
  await admin.webhooks.revokePreviousSecret(one)
  await admin.webhooks.count(at)
  await admin.webhooks.get(one)
  await admin.webhooks.list(at, {})
  const [delivery = { id: 0 }] = (await admin.deliveries.list(at, { subscription_id: id, state: 'held' })).data
  await admin.deliveries.get({ ...at, id: delivery.id })
  await admin.deliveries.attempts({ ...at, id: delivery.id })
  await admin.deliveries.curl({ ...at, id: delivery.id })
  await admin.deliveries.request({ ...at, id: delivery.id })
  await expectError(409, admin.deliveries.resend({ ...at, id: delivery.id }))
  // This subscription matches none of the events of the scenario.
  const idle = await admin.webhooks.create(at, { url: 'https://hooks.example.com/b', events: ['project.updated'] })
  await admin.webhooks.recover({ ...at, id: idle.id }, { since, dry_run: true })
  await admin.webhooks.recover({ ...at, id: idle.id }, { since })
  const { job_id } = Object(await admin.webhooks.replayMissing({ ...at, id: idle.id }, { since }))
  await admin.webhooks.job({ ...at, id: job_id })
  await admin.webhooks.jobs(at, {})
  await admin.webhooks.delete({ ...at, id: idle.id })
  await admin.webhooks.enable(one)
  await admin.deliveries.resend({ ...at, id: delivery.id })
  await admin.webhooks.sendTest(one, { event: 'ticket.resolved' })
}

async function runSignIn({ admin, asPerson }: AdminInterface): Promise<void> {
  const code = codeOf((await admin.setupLinks.create()).link)
  const person = { name: 'Zoe', email: 'zoe@umbrella.test', password: goodPassword }
  const { session, user } = await admin.setup.complete({ code, ...person, workspace: 'First' })
  await expectError(401, admin.setup.complete({ code, ...person, workspace: 'First' }))
  await expectError(409, admin.setupLinks.create())
  const zoe = asPerson(session.token)
  await zoe.account.get()
  await zoe.account.update({ name: 'Zoe Okafor' })
  const token = await zoe.personalTokens.create({ name: 'Deploy', expires_at: '2027-01-01T00:00:00Z' })
  await zoe.personalTokens.list({})
  const [first] = (await zoe.account.get()).workspaces
  const home = { workspace: first?.id ?? 0 }
  await zoe.views.update(home, { data: [{ list: 'tickets', name: 'Late', query: 'due=overdue' }] })
  await zoe.views.list(home)
  const noor = await admin.members.create(home, { name: 'Noor Haddad', email: 'noor@umbrella.test' })
  const channel = await admin.channels.create(home, { name: 'general' })
  const mention = { channel_id: channel.id, author_id: noor.id, body: '@Zoe Okafor, please look' }
  const { id: message } = await admin.messages.create(home, mention)
  await zoe.mentions.delete({ ...home, id: message })
  await expectError(404, zoe.mentions.delete({ ...home, id: message }))
  await expectError(403, admin.views.update(home, { data: [] }))
  const late = { list: 'tickets', name: 'Late', query: 'due=overdue' } as const
  const view = await zoe.sharedViews.create(home, late)
  await expectError(409, admin.sharedViews.create(home, late))
  await admin.sharedViews.list(home)
  await admin.sharedViews.update({ ...home, id: view.id }, { name: 'Very late' })
  await admin.sharedViews.get({ ...home, id: view.id })
  await admin.sharedViews.delete({ ...home, id: view.id })
  await expectError(404, admin.sharedViews.get({ ...home, id: view.id }))
  await zoe.personalTokens.revoke({ id: token.id })
  await zoe.sessions.list({})
  await zoe.sessions.delete({ id: session.id })
  await expectError(401, zoe.account.get())
  await admin.sessions.create({ email: person.email, password: goodPassword })
  await expectError(401, admin.sessions.create({ email: person.email, password: 'wrong' }))
  await admin.sessions.createByLink({ code: codeOf((await admin.users.signInLink({ id: user.id })).link) })
  const { link } = await admin.users.resetPassword({ id: user.id })
  await admin.passwordResets.complete({ code: codeOf(link), password: `${goodPassword} again` })
}

interface WorkspaceMember {
  readonly workspace: number
  readonly member: number
}

async function runWork(admin: Admin, { workspace, member }: WorkspaceMember): Promise<void> {
  const at = { workspace }
  const project = await admin.projects.create(at, { name: 'Relaunch', status: 'active' })
  await admin.projects.update({ ...at, id: project.id }, { color: '#00ff7f' })
  await admin.projects.get({ ...at, id: project.id })
  await admin.projects.list(at, {})
  // The command line supports neither Idempotency-Key nor If-Match.
  const key = { idempotencyKey: 'new-warehouse' }
  const once = await admin.projects.create(at, { name: 'Warehouse' }, key)
  assert.equal((await admin.projects.create(at, { name: 'Warehouse' }, key)).id, once.id)
  await expectError(422, admin.projects.create(at, { name: 'Another warehouse' }, key))
  const changedMeanwhile = { headers: { 'if-match': '"another"' } }
  await expectError(412, admin.projects.update({ ...at, id: project.id }, { name: 'Relaunch 2' }, changedMeanwhile))
  const ticket = await admin.tickets.create(at, { title: 'Checkout fails', tags: ['shop'], project_id: project.id })
  await admin.tickets.update({ ...at, id: ticket.id }, { status: 'resolved', assigned_to: member })
  await admin.tickets.get({ ...at, id: ticket.id })
  await admin.tickets.list(at, { tag: 'shop', search: 'checkout' })
  await admin.tickets.count(at)
  const task = await admin.tasks.create(at, { title: 'Write a test', ticket_id: ticket.id })
  const part = await admin.tasks.create(at, { title: 'Run it', parent_id: task.id })
  await admin.tasks.update({ ...at, id: task.id }, { status: 'done' })
  await admin.tasks.get({ ...at, id: task.id })
  await admin.tasks.list(at, { ticket_id: ticket.id })
  await expectError(409, admin.tasks.delete({ ...at, id: task.id }))
  await admin.tasks.delete({ ...at, id: part.id })
  await admin.events.list(at, {})
}

async function runMessages(admin: Admin, workspace: number): Promise<void> {
  const at = { workspace }
  const channel = await admin.channels.create(at, { name: 'support' })
  const empty = await admin.channels.create(at, { name: 'empty' })
  await admin.channels.update({ ...at, id: channel.id }, { name: 'help' })
  await admin.channels.get({ ...at, id: channel.id })
  await admin.channels.list(at, {})
  await admin.messages.create(at, { channel_id: channel.id, body: 'Hello' })
  await admin.messages.list(at, {})
  await admin.mentions.list(at)
  await expectError(409, admin.channels.delete({ ...at, id: channel.id }))
  await admin.channels.delete({ ...at, id: empty.id })
}

async function runAutomation(admin: Admin, { workspace, member }: WorkspaceMember): Promise<void> {
  const at = { workspace }
  await admin.slaPolicies.update({ ...at, priority: 'high' }, { first_response_minutes: 30 })
  await admin.slaPolicies.get({ ...at, priority: 'high' })
  await admin.slaPolicies.list(at)
  const rule = { trigger: 'ticket_created', actions: [{ type: 'assign', user_id: member }] } as const
  await admin.rules.dryRun(at, { ...rule, actions: [...rule.actions], last: 10 })
  const { id } = await admin.rules.create(at, { name: 'All to Mateo', ...rule, actions: [...rule.actions] })
  await admin.rules.update({ ...at, id }, { enabled: false })
  await admin.rules.get({ ...at, id })
  await admin.rules.dryRunStored({ ...at, id }, { last: 10 })
  await admin.rules.list(at, {})
  await admin.rules.runs(at, {})
  await admin.rules.delete({ ...at, id })
}

async function runCustomers({ admin, fetch }: AdminInterface, workspace: number): Promise<void> {
  const at = { workspace }
  const account = await admin.accounts.create(at, { name: 'Globex' })
  await admin.accounts.update({ ...at, id: account.id }, { name: 'Globex Corporation' })
  await admin.accounts.get({ ...at, id: account.id })
  await admin.accounts.list(at, {})
  const deal = await admin.deals.create(at, { title: 'Renewal', amount: 1200.5, account_id: account.id })
  await admin.deals.update({ ...at, id: deal.id }, { stage: 'won' })
  await admin.deals.get({ ...at, id: deal.id })
  await admin.deals.list(at, { stage: 'won' })
  await expectError(409, admin.accounts.delete({ ...at, id: account.id }))
  await admin.deals.delete({ ...at, id: deal.id })
  await admin.accounts.delete({ ...at, id: account.id })
  const { secret } = await admin.leadSources.rotateSecret({ ...at, source: 'website' })
  await postInbound(fetch, `/api/webhooks/${workspace}/leads/website`, secret, {
    name: 'Kim',
    email: 'kim@globex.test',
  })
  await postInbound(fetch, `/api/webhooks/${workspace}/leads/website`, secret, {
    name: 'Kim',
    email: 'kim@globex.test',
  })
  const [lead = { id: 0 }] = (await admin.leads.list(at, { source: 'website' })).data
  await admin.leads.update({ ...at, id: lead.id }, { status: 'contacted', notes: 'Call back' })
  await admin.leads.get({ ...at, id: lead.id })
  const grace = await admin.leads.create(at, { name: 'Grace', source: 'website' })
  await admin.leads.convert({ ...at, id: grace.id }, { title: 'Storage', account_name: 'Fabrikam' })
  await admin.leadEnquiries.list(at, {})
}

async function runReports({ admin, fetch }: AdminInterface, workspace: number): Promise<void> {
  const at = { workspace }
  const { secret } = await admin.integrations.rotateSecret({ ...at, integration: 'errors' })
  const report = { message: 'Out of paper', exception: 'PrinterError', app: 'shop' }
  await postInbound(fetch, `/api/webhooks/${workspace}/errors`, secret, report)
  const [group = { id: 0 }] = (await admin.errorReports.list(at, { app: 'shop' })).data
  await admin.errorReports.count(at, { status: 'open', since: '2020-01-01T00:00:00Z' })
  await admin.errorReports.get({ ...at, id: group.id })
  await admin.errorReports.explain(at, { body: report })
  await admin.activities.list(at, {})
}

async function runPunches({ admin, fetch }: AdminInterface, workspace: number): Promise<void> {
  const at = { workspace }
  const { secret } = await admin.integrations.rotateSecret({ ...at, integration: 'attendance' })
  const path = `/api/webhooks/${workspace}/attendance`
  await admin.devices.create(at, { source_type: 'zkteco', external_device_id: '9', device_name: 'Gate' })
  const punch = { employee_code: '0099', external_device_id: '9', punch_direction: 'in' }
  await postInbound(fetch, path, secret, punch, 422)
  await admin.attendance.explain(at, { body: punch })
  const [waiting = { id: 0 }] = (await admin.attendance.unmatched(at, {})).data
  await admin.employees.create(at, { name: 'Ivo', email: 'ivo@umbrella.test', employee_code: '0099' })
  await admin.attendance.replay({ ...at, id: waiting.id })
  await admin.attendance.sessions(at, {})
  await admin.attendance.hours(at, { from: '2026-11-16', to: '2026-11-22' })
}

async function postInbound(
  fetch: AdminInterface['fetch'],
  path: string,
  secret: string,
  body: object,
  status = 200,
): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-service-webhook-secret': secret }
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.equal(response.status, status, await response.text())
}

/** The messages are compared between the interfaces. */
async function expectError(status: number, call: PromiseLike<unknown>): Promise<void> {
  await assert.rejects(Promise.resolve(call), { status, message: /\w \w.*[.)]/ })
}
