import { expect, test } from 'vitest'
import { type Clock, type Micros, microsPerDay, microsPerMinute } from '../../src/core/clock.ts'
import { startServer } from '../../src/server.ts'
import { type ManualClock, manualClock, testStart } from '../manual-clock.ts'
import { createStorage, onEveryStore } from '../on-every-store.ts'
import { onDisk, startWithTables } from '../tables.ts'
import { seedWorkspace } from '../workspace.ts'
import { newestDelivery } from './newest-delivery.ts'
import { status } from './receiver.ts'
import { sendingOptions, subscribe } from './subscribed.ts'

const promise = { first_response_minutes: 30, resolution_minutes: 120 } as const

/** A manual clock that fires its timers when it advances. */
function wakingClock(): ManualClock & Required<Clock> & { readonly timers: Set<object> } {
  const clock = manualClock()
  const timers = new Set<{ readonly at: Micros; readonly act: () => void }>()
  return {
    now: clock.now,
    elapsedMs: () => clock.elapsedMs?.() ?? 0,
    followsMachine: false,
    timers,
    after(delayMs, act) {
      const timer = { at: clock.now() + delayMs * 1000, act }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(micros) {
      clock.advance(micros)
      for (const timer of [...timers]) {
        if (timer.at > clock.now()) continue
        timers.delete(timer)
        timer.act()
      }
    },
  }
}

onEveryStore('an SLA breach', (start) => {
  test('is found by runDue, triggers its rules, and their events are delivered', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { workspace, receiver, createTicket } = await subscribe(server, { events: ['task.created'] })
    await server.admin.slaPolicies.update({ workspace: workspace.id, priority: 'medium' }, promise)
    await server.admin.rules.create(
      { workspace: workspace.id },
      { name: 'Late', trigger: 'sla_breached', conditions: [], actions: [{ type: 'create_task', title: 'Hurry' }] },
    )
    await createTicket('A')
    options.clock.advance(29 * microsPerMinute)
    await server.deliveries.runDue()
    expect(receiver.received).toHaveLength(0)
    options.clock.advance(2 * microsPerMinute)
    await server.deliveries.runDue()
    expect(receiver.received.map(({ body }) => JSON.parse(body.toString()).task.title)).toEqual(['Hurry'])
    await server.deliveries.runDue()
  })

  test('is found automatically if the clock has timers', async () => {
    const clock = wakingClock()
    const server = await start({ clock })
    const { workspace } = await seedWorkspace(server)
    await server.admin.slaPolicies.update({ workspace: workspace.id, priority: 'medium' }, promise)
    await server.admin.rules.create(
      { workspace: workspace.id },
      { name: 'Late', trigger: 'sla_breached', conditions: [], actions: [{ type: 'create_task', title: 'Hurry' }] },
    )
    await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
    await expect.poll(() => clock.timers.size).toBe(1)
    clock.advance(31 * microsPerMinute)
    await expect.poll(async () => (await server.admin.tasks.list({ workspace: workspace.id })).data.length).toBe(1)
  })
})

test('a platform without due work sets no timer', async () => {
  const clock = wakingClock()
  const { server, platform } = await startServer({ clock })
  await seedWorkspace(server)
  await server.deliveries.runDue()
  expect(clock.timers.size).toBe(0)
  expect(await platform.deliveries.nextDueAt()).toBeUndefined()
  await server.close()
})

test('looking for due work on PostgreSQL takes one connection, whatever the number of tasks', async () => {
  const { server, tables } = await startWithTables('postgres', { clock: wakingClock() })
  await server.deliveries.runDue()
  const open = 'select count(*) as open from pg_stat_activity where datname = current_database()'
  // One each for work, for the watch, for LISTEN, and for this test.
  expect(Number((await tables.rows(open))[0]?.['open'])).toBe(4)
})

test.each(onDisk)('events without subscribers expire on %s', async (store) => {
  const options = sendingOptions()
  const { server, tables } = await startWithTables(store, { ...options, deliveryRetentionDays: 10 })
  const { workspace } = await seedWorkspace(server)
  await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
  const left = async () => (await tables.rows('select id from events')).length
  options.clock.advance(9 * microsPerDay)
  await server.deliveries.runDue()
  expect(await left()).toBe(1)
  options.clock.advance(2 * microsPerDay)
  await server.deliveries.runDue()
  expect(await left()).toBe(0)
})

test.each(['memory', 'sqlite', 'postgres'] as const)(
  'moving the clock from each due time to the next on %s triggers every retry and SLA breach',
  async (store) => {
    const place = await createStorage(store)
    const options = { ...sendingOptions(), deliveryRetentionDays: 30 }
    const { server, platform } = await startServer({ ...options, ...place.options })
    const { workspace, receiver, createTicket } = await subscribe(server, { reply: status(500) })
    await server.admin.slaPolicies.update({ workspace: workspace.id, priority: 'medium' }, promise)
    await createTicket('A')
    const end = testStart + 40 * microsPerDay
    const dues: number[] = []
    for (;;) {
      const dueAt = await platform.deliveries.nextDueAt()
      if (dueAt === undefined || dueAt > end) break
      dues.push(dueAt)
      options.clock.advance(Math.max(0, dueAt - options.clock.now()))
      await server.deliveries.runDue()
    }
    expect(receiver.received).toHaveLength(10)
    expect(dues).toEqual([...dues].sort((one, other) => one - other))
    await expect(newestDelivery(server, workspace)).rejects.toThrow('no delivery')
    await server.close()
    await place.remove()
  },
)
