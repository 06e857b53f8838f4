import { expect, test } from 'vitest'
import { startOpenSite } from './inbound/inbound-site.ts'
import { onEveryStore } from './on-every-store.ts'
import { seedWorkspace } from './workspace.ts'

onEveryStore('a dry run of a rule', (start) => {
  test('returns the changes to the newest tickets and writes nothing', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const old = await server.admin.tickets.create(at, { title: 'Outage, long ago' })
    const first = await server.admin.tickets.create(at, { title: 'Outage in Bonn', tags: ['outage'] })
    const second = await server.admin.tickets.create(at, { title: 'Outage in Rome', priority: 'urgent' })
    await server.admin.tickets.create(at, { title: 'Printer' })
    const before = await server.admin.events.list(at)
    const rule = {
      trigger: 'ticket_created' as const,
      conditions: [{ field: 'title' as const, operator: 'contains' as const, value: 'OUTAGE' }],
      actions: [
        { type: 'set_priority' as const, priority: 'urgent' },
        { type: 'add_tag' as const, tag: 'outage' },
        { type: 'assign' as const, user_id: member.id },
        { type: 'assign' as const, user_id: 999 },
        { type: 'create_task' as const, title: 'Look' },
        { type: 'post_message' as const, channel_id: 9, body: 'Hm' },
      ],
    }
    const result = await server.admin.rules.dryRun(at, { ...rule, last: 3 })
    const notes = [
      'Refused to assign: The selected user_id is not in this workspace.',
      'A task would be created.',
      'Refused to post message: The selected channel_id is not in this workspace.',
    ]
    expect(result).toEqual({
      looked_at: 3,
      matched: 2,
      changed: 2,
      tickets: [
        {
          id: second.id,
          ticket_number: 'TKT-00003',
          title: 'Outage in Rome',
          changes: { tags: { from: [], to: ['outage'] }, assigned_to: { from: null, to: member.id } },
          notes,
        },
        {
          id: first.id,
          ticket_number: 'TKT-00002',
          title: 'Outage in Bonn',
          changes: { priority: { from: 'medium', to: 'urgent' }, assigned_to: { from: null, to: member.id } },
          notes,
        },
      ],
    })
    expect((await server.admin.rules.dryRun(at, rule)).tickets.at(-1)?.id).toBe(old.id)
    expect(await server.admin.events.list(at)).toEqual(before)
    expect((await server.admin.tasks.list(at)).data).toEqual([])
    expect((await server.admin.rules.runs(at)).data).toEqual([])
    expect((await server.admin.tickets.get({ ...at, id: first.id })).timeline).toHaveLength(1)
    expect(await server.admin.tickets.create(at, { title: 'Next' })).toMatchObject({ ticket_number: 'TKT-00005' })
  })

  test('works for a disabled rule, but not from another workspace', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    await server.admin.tickets.create(at, { title: 'A' })
    const rule = await server.admin.rules.create(at, {
      name: 'All',
      trigger: 'ticket_created',
      enabled: false,
      actions: [{ type: 'set_category', category: 'x' }],
    })
    const ref = { ...at, id: rule.id }
    expect(await server.admin.rules.dryRunStored(ref, {})).toMatchObject({ looked_at: 1, matched: 1, changed: 1 })
    const other = await seedWorkspace(server, { name: 'Other' })
    const elsewhere = { workspace: other.workspace.id, id: rule.id }
    await expect(server.admin.rules.dryRunStored(elsewhere, {})).rejects.toMatchObject({ name: 'NotFoundError' })
    await expect(server.admin.rules.dryRunStored(ref, { last: 1001 })).rejects.toMatchObject({
      name: 'ValidationError',
      errors: { last: [expect.stringContaining('1000')] },
    })
  })

  test('with another trigger covers the tickets that were changed, breached an SLA, or had errors', async () => {
    const { server, clock, workspaceId, inbound } = await startOpenSite(start)
    const at = { workspace: workspaceId }
    await inbound.errors.report({ message: 'boom', environment: 'production', severity: 'error' })
    const changed = await server.admin.tickets.create(at, { title: 'A', priority: 'low' })
    await server.admin.tickets.update({ ...at, id: changed.id }, { category: 'x' })
    await server.admin.slaPolicies.update({ ...at, priority: 'urgent' }, { resolution_minutes: 1 })
    const late = await server.admin.tickets.create(at, { title: 'B', priority: 'urgent' })
    clock.advance(61_000_000)
    await server.deliveries.runDue()
    const actions = [{ type: 'set_category' as const, category: 'seen' }]
    const found = async (rule: Omit<Parameters<typeof server.admin.rules.dryRun>[1], 'actions'>) =>
      (await server.admin.rules.dryRun(at, { ...rule, actions })).tickets.map(({ title }) => title)
    expect(await found({ trigger: 'ticket_updated' })).toEqual(['A'])
    const ofTitle = [{ field: 'changed' as const, operator: 'equals' as const, value: 'title' }]
    expect(await found({ trigger: 'ticket_updated', conditions: ofTitle })).toEqual([])
    const resolution = [{ field: 'sla' as const, operator: 'equals' as const, value: 'resolution' }]
    expect(await found({ trigger: 'sla_breached', conditions: resolution })).toEqual([late.title])
    const production = [{ field: 'environment' as const, operator: 'equals' as const, value: 'production' }]
    expect(await found({ trigger: 'error_reported', conditions: production })).toHaveLength(1)
  })
})
