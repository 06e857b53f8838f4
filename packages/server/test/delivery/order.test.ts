import type { ServerResponse } from 'node:http'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { App } from '../../src/context.ts'
import { microsPerDay, microsPerHour } from '../../src/core/clock.ts'
import type { Server } from '../../src/index.ts'
import { startServer } from '../../src/server.ts'
import { createStorage, type StoreName } from '../on-every-store.ts'
import type { Receiver, Reply } from './receiver.ts'
import { addChecklist, sendingOptions, subscribe } from './subscribed.ts'

const longAgo = { since: '2020-01-01T00:00:00Z' }
const leaseMs = (2 * microsPerDay) / 1000

/** A server whose worker reports when it goes to sleep. */
interface Process {
  readonly server: Server
  readonly app: App
  readonly sleeps: () => number
}

/** Servers on one database. A SQLite database belongs to one. */
async function startProcesses(store: StoreName, count: number) {
  const options = { ...sendingOptions(), deliveryTimeoutMs: 60_000 }
  const storage = await createStorage(store)
  const processes = await Promise.all(
    Array.from({ length: count }, async (): Promise<Process> => {
      let sleeps = 0
      const after = (ms: number) => {
        // The worker sleeps for at most five seconds, and renews its leases less often.
        if (ms <= 5000) sleeps += 1
        return () => undefined
      }
      const clock = { ...options.clock, after }
      const { server, platform } = await startServer({ ...options, ...storage.options, clock }, { leaseMs })
      return { server, app: platform.app, sleeps: () => sleeps }
    }),
  )
  onTestFinished(async () => {
    await Promise.all(processes.map(({ server }) => server.close()))
    await storage.remove()
  })
  return { processes, clock: options.clock }
}

/** Waits until each worker has taken note of every change. */
async function settle(processes: readonly Process[], workspaceId: number): Promise<void> {
  const isQuiet = async ({ app: { db } }: Process) => {
    const [event, job, notice] = await Promise.all([
      db.selectFrom('unrouted_events').select('event_id').where('workspace_id', '=', workspaceId).executeTakeFirst(),
      db
        .selectFrom('delivery_jobs')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .where('state', '=', 'running')
        .executeTakeFirst(),
      db
        .selectFrom('delivery_queues')
        .select('notified_at')
        .where('workspace_id', '=', workspaceId)
        .where('notified_at', 'is not', null)
        .executeTakeFirst(),
    ])
    return event === undefined && job === undefined && notice === undefined
  }
  const [first] = processes
  if (first === undefined) throw new Error('No process was started.')
  const wake = () => {
    for (const { app } of processes) app.wakeSignal.notify()
  }
  await expect
    .poll(() => {
      wake()
      return isQuiet(first)
    })
    .toBe(true)
  for (const { app, sleeps } of processes) {
    const before = sleeps()
    app.wakeSignal.notify()
    await expect.poll(() => sleeps()).toBeGreaterThan(before)
  }
}

/** The receiver of one run: it fails every seventh event until it is `fixed`, and holds requests while it is `held`. */
function createReply() {
  let mode: 'failing' | 'held' | 'fixed' = 'failing'
  const held: ServerResponse[] = []
  const reply: Reply = (response, { headers }) => {
    if (mode === 'held') held.push(response)
    else response.writeHead(mode === 'failing' && Number(headers['x-service-sequence']) % 7 === 0 ? 500 : 204).end()
  }
  return {
    reply,
    hold() {
      mode = 'held'
    },
    release() {
      mode = 'fixed'
      for (const response of held.splice(0)) response.writeHead(204).end()
    },
  }
}

type Change =
  | { readonly kind: 'live' | 'missed'; readonly tickets: number; readonly by: number }
  | { readonly kind: 'resend'; readonly which: number; readonly by: number }
  | { readonly kind: 'recover' | 'replay' | 'restart'; readonly by: number }

const by = fc.nat(1)
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constantFrom('live', 'missed'), tickets: fc.integer({ min: 1, max: 4 }), by }),
  fc.record({ kind: fc.constant('resend'), which: fc.nat(20), by }),
  fc.record({ kind: fc.constantFrom('recover', 'replay', 'restart'), by }),
)

async function apply(server: Server, place: { readonly workspace: number; readonly id: number }, change: Change) {
  const { workspace } = place
  const createTickets = async (count: number) => {
    for (let index = 0; index < count; index += 1) await server.admin.tickets.create({ workspace }, { title: 'A' })
  }
  if (change.kind === 'live') await createTickets(change.tickets)
  if (change.kind === 'missed') {
    await server.admin.webhooks.update(place, { events: ['message.created'] })
    await createTickets(change.tickets)
    await server.admin.webhooks.update(place, { events: ['ticket.*', 'task.*'] })
  }
  if (change.kind === 'resend') {
    const { data } = await server.admin.deliveries.list({ workspace })
    const { id } = data[change.which % data.length] ?? { id: 0 }
    await server.admin.deliveries.resend({ workspace, id })
  }
  if (change.kind === 'recover') await server.admin.webhooks.recover(place, longAgo)
  if (change.kind === 'replay') await server.admin.webhooks.replayMissing(place, longAgo)
  if (change.kind === 'restart') {
    await server.admin.webhooks.disable(place)
    await server.admin.webhooks.enable(place)
  }
}

const sequences = ({ received }: Receiver) => received.map(({ headers }) => Number(headers['x-service-sequence']))

test.each([
  ['sqlite', 1],
  ['postgres', 2],
] as const)(
  'an ordered queue sends what is pending in the order of its events, however it became pending, on %s',
  async (store, count) => {
    const { processes, clock } = await startProcesses(store, count)
    const [first] = processes
    if (first === undefined) throw new Error('No process was started.')
    const processOf = (index: number) => processes[index % count] ?? first
    const scenario = fc.record({
      before: fc.integer({ min: 1, max: 6 }),
      changes: fc.array(change, { minLength: 1, maxLength: 6 }),
      isTakenOver: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(scenario, async ({ before, changes, isTakenOver }) => {
        const { reply, hold, release } = createReply()
        const settings = { reply, fifo: true, events: ['ticket.*' as const, 'task.*' as const], schedule: [60] }
        const { receiver, place, workspace, createTicket } = await subscribe(first.server, settings)
        await addChecklist(first.server, workspace.id)
        // Some deliveries succeed, some are given up, and some wait for their retry.
        for (let index = 0; index < before; index += 1) {
          await createTicket('A')
          await Promise.all(processes.map(({ server }) => server.deliveries.runDue()))
          clock.advance(microsPerHour / 4)
        }
        await settle(processes, workspace.id)
        hold()
        await createTicket('Held')
        clock.advance(microsPerHour)
        await settle(processes, workspace.id)
        const heldAt = receiver.received.length
        for (const change of changes) await apply(processOf(change.by).server, place, change)
        await settle(processes, workspace.id)
        clock.advance(isTakenOver ? 3 * microsPerDay : microsPerHour)
        await settle(processes, workspace.id)
        release()
        await Promise.all(processes.map(({ server }) => server.deliveries.runDue()))
        const order = sequences(receiver).slice(heldAt)
        expect(order).toEqual(order.toSorted((one, other) => one - other))
        const states = await first.server.admin.deliveries.list({ workspace: workspace.id }, { limit: 200 }).all()
        expect(states.filter(({ state }) => state === 'pending')).toEqual([])
      }),
      { numRuns: store === 'sqlite' ? 10 : 8 },
    )
  },
)
