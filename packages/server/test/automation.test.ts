import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { microsPerMinute } from '../src/core/clock.ts'
import type { Server } from '../src/index.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin } from './people.ts'
import { startWithTables } from './tables.ts'
import { call, seedWorkspace } from './workspace.ts'

const adminToken = 'admin-token-of-enough-characters'

onEveryStore('a rule on created tickets', (start) => {
  test('changes the ticket before the response and its only event, which is no update for other rules', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const channel = await server.admin.channels.create({ workspace: workspace.id }, { name: 'ops' })
    await server.admin.rules.create(
      { workspace: workspace.id },
      {
        name: 'Outages',
        trigger: 'ticket_created',
        conditions: [{ field: 'title', operator: 'contains', value: 'OUTAGE' }],
        actions: [
          { type: 'assign', user_id: member.id },
          { type: 'set_priority', priority: 'urgent' },
          { type: 'add_tag', tag: 'outage' },
          { type: 'create_task', title: 'Look into {{ticket_number}}' },
          { type: 'post_message', channel_id: channel.id, body: '{{ticket_number}}: {{title}}' },
        ],
      },
    )
    await server.admin.rules.create(
      { workspace: workspace.id },
      { name: 'Updates', trigger: 'ticket_updated', actions: [{ type: 'add_tag', tag: 'updated' }] },
    )
    const ticket = await server.admin.tickets.create({ workspace: workspace.id }, { title: 'Outage in Bonn' })
    expect(ticket).toMatchObject({
      priority: 'urgent',
      assigned_to: member.id,
      assignee: { id: member.id, name: 'Ada Obi' },
    })
    expect((await server.admin.tasks.list({ workspace: workspace.id })).data).toMatchObject([
      { title: 'Look into TKT-00001', ticket_id: ticket.id },
    ])
    const messages = (await server.admin.messages.list({ workspace: workspace.id }, { channel_id: channel.id })).data
    expect(messages.map(({ body }) => body)).toEqual(['TKT-00001: Outage in Bonn'])
    const events = (await server.admin.events.list({ workspace: workspace.id })).data.toReversed()
    expect(events.map(({ name }) => name)).toEqual(['task.created', 'message.created', 'ticket.created'])
    expect(JSON.parse(events.at(-1)?.body ?? '').ticket.priority).toBe('urgent')
    expect((await server.admin.rules.runs({ workspace: workspace.id })).data).toMatchObject([
      {
        outcome: 'ran',
        trigger: 'ticket_created',
        detail:
          'Assigned to Ada Obi. Priority set to urgent. Tag outage added. Task “Look into TKT-00001” created. Message posted in ops.',
      },
    ])
  })

  test('does nothing if its conditions do not match, and logs that', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    await server.admin.rules.create(
      { workspace: workspace.id },
      {
        name: 'Outages',
        trigger: 'ticket_created',
        match: 'any',
        conditions: [
          { field: 'priority', operator: 'in', value: ['high', 'urgent'] },
          { field: 'tags', operator: 'equals', value: 'vip' },
        ],
        actions: [{ type: 'set_category', category: 'vip' }],
      },
    )
    expect(await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })).toMatchObject({
      category: null,
    })
    expect(await server.admin.tickets.create({ workspace: workspace.id }, { title: 'B', tags: ['vip'] })).toMatchObject(
      {
        category: 'vip',
      },
    )
    const at = { workspace: workspace.id }
    const runs = async (outcome?: 'matched') =>
      (await server.admin.rules.runs(at, { outcome })).data.map((run) => [run.outcome, run.ticket_number])
    const matched = ['ran', 'TKT-00002']
    expect(await runs()).toEqual([matched, ['not_matched', 'TKT-00001']])
    expect(await runs('matched')).toEqual([matched])
  })

  test('leaves the ticket in place if an action is refused, and logs the reason', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const leaver = await server.admin.members.create(at, { name: 'Bo Lind', email: 'bo@acme.example' })
    await server.admin.rules.create(at, {
      name: 'To Bo',
      trigger: 'ticket_created',
      actions: [
        { type: 'assign', user_id: leaver.id },
        { type: 'create_task', title: 'Look', assigned_to: leaver.id },
        { type: 'add_tag', tag: 'new' },
        { type: 'set_category', category: 'seen' },
      ],
    })
    await server.admin.members.delete({ ...at, id: leaver.id })
    const tags = Array.from({ length: 50 }, (_, index) => `tag-${index}`)
    expect(await server.admin.tickets.create(at, { title: 'A', tags })).toMatchObject({
      assigned_to: null,
      category: 'seen',
    })
    expect((await server.admin.tasks.list(at)).data).toMatchObject([{ title: 'Look', assigned_to: null }])
    const detail =
      'Refused to assign: The selected assigned_to is not in this workspace. ' +
      'Task “Look” created without its assignee, who has left the workspace. ' +
      'Refused to add tag: The ticket has 50 tags, and no more are possible. Category set to seen.'
    expect((await server.admin.rules.runs(at)).data).toMatchObject([{ outcome: 'refused', detail }])
  })

  test('cannot refer to a user or channel of another workspace', async () => {
    const server = await start({ adminToken })
    const { workspace, member } = await seedWorkspace(server)
    const other = await seedWorkspace(server, { name: 'Other' })
    const elsewhere = await server.admin.channels.create({ workspace: other.workspace.id }, { name: 'ops' })
    const at = { workspace: workspace.id }
    const rule = {
      name: 'Foreign',
      trigger: 'ticket_created' as const,
      actions: [
        { type: 'assign' as const, user_id: other.member.id },
        { type: 'create_task' as const, title: 'Look', assigned_to: 999_999 },
        { type: 'post_message' as const, channel_id: elsewhere.id, body: 'Hm' },
        { type: 'assign' as const, user_id: null },
      ],
    }
    const fields = ['actions.0.user_id', 'actions.1.assigned_to', 'actions.2.channel_id']
    const errors = Object.fromEntries(
      fields.map((field) => [field, [`The selected ${field} is not in this workspace.`]]),
    )
    const path = `/workspaces/${workspace.id}/automation-rules`
    expect(await askAdmin(server, adminToken, ['POST', path, rule])).toMatchObject({ status: 422, body: { errors } })
    const actions = [{ type: 'assign' as const, user_id: member.id }]
    const { id } = await server.admin.rules.create(at, { ...rule, actions })
    const change = { actions: rule.actions }
    expect(await askAdmin(server, adminToken, ['PATCH', `${path}/${id}`, change])).toMatchObject({
      status: 422,
      body: { errors },
    })
    expect((await server.admin.rules.list(at)).data).toMatchObject([{ id, actions }])
  })

  test('does not run while it is disabled', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const rule = await server.admin.rules.create(
      { workspace: workspace.id },
      { name: 'Off', trigger: 'ticket_created', actions: [{ type: 'set_category', category: 'x' }] },
    )
    await server.admin.rules.update({ workspace: workspace.id, id: rule.id }, { enabled: false })
    expect(await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })).toMatchObject({
      category: null,
    })
    expect((await server.admin.rules.runs({ workspace: workspace.id })).data).toEqual([])
  })
})

onEveryStore('rules that trigger each other', (start) => {
  const toCategory = (category: string) => ({ type: 'set_category' as const, category })
  const outcomesOf = async (server: Server, at: { workspace: number }) =>
    (await server.admin.rules.runs(at)).data.toReversed().map(({ rule_id, outcome }) => [rule_id, outcome])

  test('run once per change, and log why they did not run again', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const flip = (from: string, to: string) =>
      server.admin.rules.create(at, {
        name: `${from} to ${to}`,
        trigger: 'ticket_updated',
        conditions: [{ field: 'category', operator: 'equals', value: from }],
        actions: [toCategory(to)],
      })
    const [there, back] = [await flip('a', 'b'), await flip('b', 'a')]
    const { id } = await server.admin.tickets.create(at, { title: 'A' })
    const changed = [
      [there.id, 'not_matched'],
      [back.id, 'ran'],
    ]
    expect(await server.admin.tickets.update({ ...at, id }, { category: 'a' })).toMatchObject({ category: 'a' })
    const outcomes = await outcomesOf(server, at)
    expect(outcomes).toContainEqual([there.id, 'too_deep'])
    expect(outcomes.filter(([, outcome]) => outcome === 'ran')).toHaveLength(2)
    expect(outcomes).toEqual(expect.arrayContaining(changed))
    await server.admin.tickets.update({ ...at, id }, { category: 'b' })
    expect((await outcomesOf(server, at)).filter(([, outcome]) => outcome === 'ran')).toHaveLength(4)
  })

  test('with 20 actions each update the ticket once per action', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const rule = (name: string) =>
      server.admin.rules.create(at, {
        name,
        trigger: 'ticket_updated',
        actions: Array.from({ length: 20 }, (_, index) => toCategory(`${name} ${index}`)),
      })
    const [first, second] = [await rule('first'), await rule('second')]
    const { id } = await server.admin.tickets.create(at, { title: 'A' })
    await server.admin.tickets.update({ ...at, id }, { priority: 'high' })
    expect(await outcomesOf(server, at)).toEqual([
      [first.id, 'too_deep'],
      [second.id, 'too_deep'],
      [second.id, 'ran'],
      [first.id, 'ran'],
    ])
    const events = (await server.admin.events.list(at, { limit: 100 })).data
    expect(events.filter(({ name }) => name === 'ticket.updated')).toHaveLength(1 + 2 * 20)
  })

  test('perform at most 100 actions per change', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    for (const name of ['1', '2', '3', '4', '5', '6'])
      await server.admin.rules.create(at, {
        name,
        trigger: 'ticket_updated',
        actions: Array.from({ length: 20 }, () => ({ type: 'add_tag' as const, tag: name })),
      })
    const { id } = await server.admin.tickets.create(at, { title: 'A' })
    const change = { ...at, id }
    expect(await server.admin.tickets.update(change, { priority: 'high' })).toMatchObject({ priority: 'high' })
    expect((await outcomesOf(server, at)).map(([, outcome]) => outcome)).toEqual([
      ...Array.from({ length: 5 }, () => 'ran'),
      'too_deep',
    ])
    expect((await server.admin.rules.runs(at)).data[0]?.detail).toBe('One change triggers at most 100 actions.')
  })

  test('stop when they have taken the steps of one request, and the log says so', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const text = 'ab'.repeat(32_000)
    for (let rule = 0; rule < 20; rule += 1)
      await server.admin.rules.create(at, {
        name: `Rule ${rule}`,
        trigger: 'ticket_created',
        conditions: Array.from({ length: 20 }, (_, index) => ({
          field: 'description' as const,
          operator: 'not_contains' as const,
          value: `${'ab'.repeat(120)}${rule} ${index}`,
        })),
        actions: [{ type: 'add_tag' as const, tag: `rule ${rule}` }],
      })
    await server.admin.tickets.create(at, { title: 'A', description: text })
    // Each rule compares 64,000 characters 20 times.
    const runs = (await server.admin.rules.runs(at)).data
    expect(runs.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: 5 }, () => 'too_deep'),
      ...Array.from({ length: 15 }, () => 'ran'),
    ])
    expect(runs[0]?.detail).toBe(
      'The rules of one request take at most 20,000,000 steps: 1 for each compared character, 600 for each delivery to a webhook.',
    )
  })

  test('stop when they have caused tens of thousands of deliveries, so that others do not wait for them', async () => {
    const { server, tables } = await startWithTables('sqlite')
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    for (let webhook = 0; webhook < 100; webhook += 1)
      await server.admin.webhooks.create(at, { url: `https://${webhook}.hooks.example/`, events: ['*'] })
    const channel = await server.admin.channels.create(at, { name: 'Log' })
    const action = { type: 'post_message' as const, channel_id: channel.id, body: '{{title}}' }
    const actions = Array.from({ length: 20 }, () => action)
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five'])
      await server.admin.rules.create(at, { name, trigger: 'ticket_created', conditions: [], actions })
    const { secret } = await server.admin.integrations.rotateSecret({ ...at, integration: 'errors' })
    const { status } = await call(server, {
      method: 'POST',
      path: `/api/webhooks/${workspace.id}/errors`,
      headers: { 'x-service-webhook-secret': secret },
      body: Array.from({ length: 20 }, (_, index) => ({ exception: `Error${index}`, message: 'It failed.' })),
    })
    expect(status).toBe(200)
    const [{ deliveries } = {}] = await tables.rows('select count(*) as deliveries from deliveries')
    expect(deliveries).toBeGreaterThan(20_000)
    expect(deliveries).toBeLessThan(40_000)
    expect((await server.admin.tickets.list(at)).data).toHaveLength(20)
    expect((await server.admin.rules.runs(at)).data[0]?.detail).toContain('600 for each delivery to a webhook')
  })

  test('share the steps of equal conditions, so that long texts reach all rules', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const field = 'description'
    for (let rule = 0; rule < 20; rule += 1)
      await server.admin.rules.create(at, {
        name: `Rule ${rule}`,
        trigger: 'ticket_created',
        conditions: Array.from({ length: 20 }, (_, index) =>
          index % 2 === 0
            ? { field, operator: 'contains' as const, value: `${'AB'.repeat(50)}Z${index}` }
            : { field, operator: 'not_contains' as const, value: `${'aab'.repeat(50)}z${index}` },
        ),
        actions: [{ type: 'add_tag' as const, tag: `rule ${rule}` }],
      })
    const wanted = Array.from({ length: 20 }, (_, index) => `${'ab'.repeat(50)}z${index}`).join('')
    const description = `${'ab'.repeat(29_000)}${wanted}`
    await server.admin.tickets.create(at, { title: 'A', description })
    expect((await outcomesOf(server, at)).map(([, outcome]) => outcome)).toEqual(Array(20).fill('ran'))
  })

  test('stop after three levels', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    for (const step of [3, 2, 1, 0])
      await server.admin.rules.create(at, {
        name: `Step ${step}`,
        trigger: 'ticket_updated',
        conditions: [{ field: 'category', operator: 'equals', value: String(step) }],
        actions: [toCategory(String(step + 1))],
      })
    const { id } = await server.admin.tickets.create(at, { title: 'A' })
    expect(await server.admin.tickets.update({ ...at, id }, { category: '0' })).toMatchObject({ category: '3' })
    const details = (await server.admin.rules.runs(at)).data.map(({ detail }) => detail)
    expect(details).toContain('Rules can trigger other rules at most 3 levels deep.')
  })
})

onEveryStore('an error report', (start) => {
  test('triggers the error rules, which can compare its count', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const { secret } = await server.admin.integrations.rotateSecret({ workspace: workspace.id, integration: 'errors' })
    await server.admin.rules.create(
      { workspace: workspace.id },
      {
        name: 'Often',
        trigger: 'error_reported',
        conditions: [
          { field: 'count', operator: 'greater_than', value: 2 },
          { field: 'environment', operator: 'equals', value: 'production' },
        ],
        actions: [{ type: 'set_priority', priority: 'urgent' }],
      },
    )
    const report = () =>
      server.fetch(`http://platform.example/api/webhooks/${workspace.id}/errors`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-webhook-secret': secret },
        body: JSON.stringify({ message: 'Boom', environment: 'production', severity: 'error' }),
      })
    const priorityAfter = async () => {
      await report()
      return (await server.admin.tickets.list({ workspace: workspace.id })).data[0]?.priority
    }
    expect([await priorityAfter(), await priorityAfter(), await priorityAfter()]).toEqual(['high', 'high', 'urgent'])
  })
})

/** Runs due work and returns how many rules it triggered. */
async function breachesFound(server: Server, workspace: number): Promise<number> {
  const countRuns = async () => (await server.admin.rules.runs({ workspace })).data.length
  const before = await countRuns()
  await server.deliveries.runDue()
  return (await countRuns()) - before
}

onEveryStore('an SLA policy', (start) => {
  test('is returned as set, and without targets if never set or cleared', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const high = { workspace: workspace.id, priority: 'high' }
    await server.admin.slaPolicies.update(high, { first_response_minutes: 30 })
    expect(await server.admin.slaPolicies.get(high)).toEqual({
      priority: 'high',
      first_response_minutes: 30,
      resolution_minutes: null,
    })
    expect(await server.admin.slaPolicies.get({ ...high, priority: 'low' })).toEqual({
      priority: 'low',
      first_response_minutes: null,
      resolution_minutes: null,
    })
    await server.admin.slaPolicies.update(high, { first_response_minutes: null })
    expect((await server.admin.slaPolicies.list(high)).data).toEqual([])
  })

  test('is breached once its time is over, exactly once, and triggers its rules', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { workspace } = await seedWorkspace(server)
    await server.admin.slaPolicies.update(
      { workspace: workspace.id, priority: 'high' },
      { first_response_minutes: 30, resolution_minutes: 60 },
    )
    await server.admin.rules.create(
      { workspace: workspace.id },
      {
        name: 'Late',
        trigger: 'sla_breached',
        conditions: [{ field: 'sla', operator: 'equals', value: 'resolution' }],
        actions: [{ type: 'set_priority', priority: 'urgent' }],
      },
    )
    const { id } = await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A', priority: 'high' })
    clock.advance(29 * microsPerMinute)
    expect(await breachesFound(server, workspace.id)).toBe(0)
    clock.advance(2 * microsPerMinute)
    expect(await breachesFound(server, workspace.id)).toBe(1)
    expect(await breachesFound(server, workspace.id)).toBe(0)
    clock.advance(30 * microsPerMinute)
    expect(await breachesFound(server, workspace.id)).toBe(1)
    expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toMatchObject([
      { id, priority: 'urgent' },
    ])
    const runs = (await server.admin.rules.runs({ workspace: workspace.id })).data
    expect(runs.map(({ outcome }) => outcome)).toEqual(['ran', 'not_matched'])
  })

  test('is met if the ticket is resolved between detection and marking', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { workspace } = await seedWorkspace(server)
    const medium = { workspace: workspace.id, priority: 'medium' }
    await server.admin.slaPolicies.update(medium, { first_response_minutes: 30, resolution_minutes: 60 })
    // Both breaches are detected together. The rule for the first resolves the ticket before the second is marked.
    await server.admin.rules.create(
      { workspace: workspace.id },
      { name: 'Resolve', trigger: 'sla_breached', actions: [{ type: 'set_status', status: 'resolved' }] },
    )
    const { id } = await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
    clock.advance(120 * microsPerMinute)
    expect(await breachesFound(server, workspace.id)).toBe(1)
    expect(await server.admin.tickets.get({ workspace: workspace.id, id })).toMatchObject({
      status: 'resolved',
      sla: { first_response: { breached_at: expect.any(String) }, resolution: { breached_at: null } },
    })
  })

  test('is met if the ticket is assigned and resolved in time', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { workspace, member } = await seedWorkspace(server)
    await server.admin.slaPolicies.update(
      { workspace: workspace.id, priority: 'medium' },
      { first_response_minutes: 30, resolution_minutes: 60 },
    )
    const ticket = await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
    const ref = { workspace: workspace.id, id: ticket.id }
    await server.admin.tickets.update(ref, { assigned_to: member.id })
    await server.admin.tickets.update(ref, { status: 'resolved' })
    clock.advance(120 * microsPerMinute)
    expect(await breachesFound(server, workspace.id)).toBe(0)
  })
})

onEveryStore(
  'an SLA that many tickets miss',
  (start) => {
    test('is detected for all tickets in one run', async () => {
      const clock = manualClock()
      const server = await start({ clock })
      const { workspace } = await seedWorkspace(server)
      const medium = { workspace: workspace.id, priority: 'medium' }
      await server.admin.slaPolicies.update(medium, { first_response_minutes: 30, resolution_minutes: null })
      const late = { name: 'Late', trigger: 'sla_breached', actions: [{ type: 'add_tag', tag: 'late' }] } as const
      await server.admin.rules.create({ workspace: workspace.id }, { ...late, actions: [...late.actions] })
      for (let round = 0; round < 3; round += 1)
        await Promise.all(
          Array.from({ length: 41 }, () => server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })),
        )
      clock.advance(31 * microsPerMinute)
      await server.deliveries.runDue()
      const tickets = await server.admin.tickets.list({ workspace: workspace.id }, { limit: 200 }).all()
      expect(tickets.map(({ tags }) => tags)).toEqual(Array(123).fill(['late']))
    })
  },
  ['memory'],
)

test('on PostgreSQL, creating a ticket reads rules, SLA policies, and subscriptions once', async () => {
  const { server } = await startWithTables('postgres')
  const { workspace } = await seedWorkspace(server)
  const at = { workspace: workspace.id }
  await server.admin.slaPolicies.update({ ...at, priority: 'high' }, { first_response_minutes: 30 })
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => sent.mockRestore())
  await server.admin.tickets.create(at, { title: 'Printer', priority: 'high' })
  const texts = sent.mock.calls.map(([query]: unknown[]) => JSON.stringify(query))
  for (const table of ['automation_rules', 'sla_policies', 'subscription_events'])
    expect([table, texts.filter((text) => text.replaceAll('\\"', '').includes(`from ${table}`)).length]).toEqual([
      table,
      1,
    ])
})
