import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../../src/bootstrap.ts'
import { microsPerSecond } from '../../src/core/clock.ts'
import { createAdmin } from '../../src/http/in-process-admin.ts'
import { startServer } from '../../src/server.ts'
import { inTransaction } from '../../src/store/transaction.ts'
import { collectedLog } from '../collected-log.ts'
import { startDatabaseProxy } from '../database-proxy.ts'
import { createStorage } from '../on-every-store.ts'
import { holdingReply } from './receiver.ts'
import { sendingOptions, subscribe } from './subscribed.ts'

/** A server behind a proxy that can stall its statements, and the administration of another process, which sends nothing. */
async function startPair() {
  const options = { ...sendingOptions(), deliveryTimeoutMs: 60_000, log: collectedLog() }
  const storage = await createStorage('postgres')
  const proxy = await startDatabaseProxy(storage.options.databaseUrl ?? '')
  const { server, platform } = await startServer({
    ...{ ...options, ...storage.options },
    ...{ databaseUrl: proxy.url, namedStatements: false },
  })
  const other = await openApp({ ...options, ...storage.options })
  onTestFinished(async () => {
    await server.close()
    await other.store.close()
    await storage.remove()
  })
  const now = async () => {
    const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(other.db)
    return rows[0]?.now
  }
  /** Stalls the server when the database has answered its next statement with this text. */
  const stallAfter = async (text: string) => {
    const start = await now()
    proxy.stallAt(text)
    const hasAnswered = async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where state like 'idle%'
        and query like ${`%${text}%`} and query_start > ${start}::timestamptz`.execute(other.db)
      return rows.length > 0
    }
    return {
      reached: () => expect.poll(hasAnswered).toBe(true),
      resume() {
        proxy.stallAt('')
        proxy.resume()
      },
    }
  }
  return { server, platform, clock: options.clock, other, admin: createAdmin(other), stallAfter }
}

test('a subscription that is repaired while a worker fails to read it is sent from at once', async () => {
  const { server, other, admin, stallAfter } = await startPair()
  const { receiver, workspace, subscription, place } = await subscribe(server)
  await inTransaction(other, ({ db }) =>
    db
      .updateTable('subscriptions')
      .set({ url_encrypted: 'unreadable' })
      .where('workspace_id', '=', workspace.id)
      .where('id', '=', subscription.id)
      .execute(),
  )
  await admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
  const reading = await stallAfter('url_encrypted')
  const sent = server.deliveries.runDue()
  await reading.reached()
  await admin.webhooks.update(place, { url: `${receiver.url}/hook` })
  reading.resume()
  await sent
  expect(receiver.received).toHaveLength(1)
})

test.each([
  ['succeeds', 'at once', 204],
  ['fails', 'after its pause', 500],
] as const)(
  'when the last request in flight %s, a delivery resent during the release of the queue is due %s',
  async (_, due, answer) => {
    const { server, platform, clock, admin, stallAfter } = await startPair()
    const held = holdingReply()
    const settings = { reply: held.reply, schedule: [86_400] }
    const { receiver, workspace } = await subscribe(server, settings)
    const inFlight = 8
    for (let index = 0; index < inFlight; index += 1)
      await admin.tickets.create({ workspace: workspace.id }, { title: `Ticket ${index}` })
    const sent = server.deliveries.runDue()
    await expect.poll(() => receiver.received.length).toBe(inFlight)
    for (let index = 1; index < inFlight; index += 1) held.answer(500)
    const listFailed = async () =>
      (await admin.deliveries.list({ workspace: workspace.id })).data.filter(({ attempts }) => attempts === 1)
    // Now the database says that the queue is paused.
    await expect.poll(async () => (await listFailed()).length).toBe(inFlight - 1)
    const [failed] = await listFailed()
    const releasing = await stallAfter('as fresh')
    held.answer(answer)
    if (answer === 204) held.answerAll()
    await releasing.reached()
    await admin.deliveries.resend({ workspace: workspace.id, id: failed?.id ?? 0 })
    releasing.resume()
    await sent
    const attempts = (await admin.deliveries.attempts({ workspace: workspace.id, id: failed?.id ?? 0 })).data
    expect(attempts).toHaveLength(due === 'at once' ? 2 : 1)
    if (due === 'after its pause')
      expect(((await platform.deliveries.nextDueAt()) ?? 0) - clock.now()).toBeGreaterThan(2 * microsPerSecond)
    held.answerAll()
  },
)

test('a job that holds deliveries leaves those alone that are created after the subscription was enabled again', async () => {
  const { server, admin, stallAfter } = await startPair()
  const { receiver, workspace, place } = await subscribe(server)
  await admin.webhooks.disable(place)
  // The job has read that the subscription is disabled.
  const holding = await stallAfter('"disabled_at"')
  const held = server.deliveries.runDue()
  await holding.reached()
  await admin.webhooks.enable(place)
  await admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
  holding.resume()
  await held
  expect(receiver.received).toHaveLength(1)
})
