import { expect, test } from 'vitest'
import { microsPerDay } from '../../src/core/clock.ts'
import { onDisk, startWithTables } from '../tables.ts'
import { startReceiver, status } from './receiver.ts'
import { sendingOptions, subscribe, subscribeReceiver } from './subscribed.ts'

test.each(onDisk)(
  'expired records are deleted on %s, except held deliveries, of which there may be more than a batch',
  async (store) => {
    const options = sendingOptions()
    const { server, tables } = await startWithTables(store, { ...options, deliveryRetentionDays: 10 })
    const { workspace, place, createTickets } = await subscribe(server)
    const other = await startReceiver(status(410))
    await subscribeReceiver(server, other, { workspace: workspace.id, events: ['task.*'] })
    const rows = async (table: string) => (await tables.rows(`select count(*) as count from ${table}`))[0]?.['count']
    await server.admin.webhooks.disable(place)
    await createTickets(501)
    await server.admin.webhooks.enable(place)
    await createTickets(700)
    await server.deliveries.runDue()
    await server.admin.webhooks.disable(place)
    await server.admin.tasks.create({ workspace: workspace.id }, { title: 'Held for one, failed for the other' })
    await server.deliveries.runDue()
    options.clock.advance(9 * microsPerDay)
    await server.deliveries.runDue()
    expect([await rows('events'), await rows('deliveries'), await rows('delivery_attempts')]).toEqual([1202, 1203, 701])
    options.clock.advance(2 * microsPerDay)
    await server.deliveries.runDue()
    expect([await rows('events'), await rows('deliveries'), await rows('delivery_attempts')]).toEqual([502, 502, 0])
  },
  120_000,
)
