import { expect, test } from 'vitest'
import { manualClock } from './manual-clock.ts'
import { onEveryStore, onEveryTestStore } from './on-every-store.ts'

const hour = 3_600_000_000

onEveryStore('the overview', (start) => {
  test('counts opened and resolved tickets by hour and by day, and compares with the period before', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const open = (title: string) => server.admin.tickets.create({ workspace }, { title })
    const first = await open('The day before')
    clock.advance(30 * hour)
    await open('An hour ago')
    clock.advance(hour)
    await open('Now')
    await server.admin.tickets.update({ workspace, id: first.id }, { status: 'resolved' })

    const day = await server.admin.overview.get({ workspace })
    expect(day.parts).toHaveLength(24)
    expect(day.parts.slice(-2)).toMatchObject([
      { tickets_opened: 1, tickets_resolved: 0 },
      { tickets_opened: 1, tickets_resolved: 1 },
    ])
    expect(day.parts.reduce((sum, part) => sum + part.tickets_opened, 0)).toBe(2)
    expect(day.tickets_opened_before).toBe(1)

    const week = await server.admin.overview.get({ workspace }, { period: '7d' })
    expect(week.parts).toHaveLength(7)
    expect(week.parts.reduce((sum, part) => sum + part.tickets_opened, 0)).toBe(3)
    expect(week.tickets_opened_before).toBe(0)
  })

  test('lists each ticket with a breached or approaching SLA once, most urgent first', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const setPolicy = (priority: string, minutes: number) =>
      server.admin.slaPolicies.update(
        { workspace, priority },
        { first_response_minutes: minutes, resolution_minutes: 100 * minutes },
      )
    await setPolicy('urgent', 30)
    await setPolicy('low', 60)
    const create = (title: string, priority: string) => server.admin.tickets.create({ workspace }, { title, priority })
    const low = await create('Low', 'low')
    const urgent = await create('Urgent', 'urgent')
    await create('Without a policy', 'medium')
    await setPolicy('high', 9 * 60)
    await create('Not yet at risk', 'high')
    const done = await create('Done', 'urgent')
    await server.admin.tickets.update({ workspace, id: done.id }, { status: 'resolved' })
    const { sla_at_risk: risks } = await server.admin.overview.get({ workspace })
    expect(risks.map(({ id, level }) => [id, level])).toEqual([
      [urgent.id, 'first_response'],
      [low.id, 'first_response'],
    ])
    expect(await server.admin.tickets.count({ workspace }, { sla: 'at_risk' })).toEqual({
      count: risks.length,
      is_exact: true,
    })
  })
})

onEveryTestStore('the overview', (start) => {
  test('counts succeeded and failed deliveries by hour, of all endpoints or of one', async () => {
    const server = await start({ clock: '2026-01-01T09:30:00Z', encryptionKey: 'k'.repeat(40) })
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    server.webhooks.receive('https://well.test', () => new Response())
    server.webhooks.receive('https://broken.test', () => new Response(null, { status: 500 }))
    const connect = (url: string, event: 'ticket.created' | 'task.created') =>
      server.admin.webhooks.create({ workspace }, { url, events: [event] })
    const well = await connect('https://well.test', 'ticket.created')
    const broken = await connect('https://broken.test', 'task.created')
    const trigger = async (tickets: number, tasks: number) => {
      await server.createMany.ticket(tickets, () => ({ workspace_id: workspace }))
      await server.createMany.task(tasks, () => ({ workspace_id: workspace }))
      await server.settled()
    }
    await trigger(1, 1)
    await server.clock.advance('24h')
    await trigger(1100, 2)
    await server.clock.advance('1h')
    await trigger(1, 0)

    const countOf = async (subscription_id?: number) => {
      const { parts } = await server.admin.overview.get({ workspace }, { subscription_id })
      return parts.map((part) => [part.deliveries_succeeded, part.deliveries_failed])
    }
    const nothing = (hours: number) => Array.from({ length: hours }, () => [0, 0])
    expect(await countOf()).toEqual([...nothing(22), [1100, 2], [1, 0]])
    expect(await countOf(well.id)).toEqual([...nothing(22), [1100, 0], [1, 0]])
    expect(await countOf(broken.id)).toEqual([...nothing(22), [0, 2], [0, 0]])
    expect(await countOf(4711)).toEqual(nothing(24))
  })
})
