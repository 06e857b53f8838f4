import type { Server, ServerOptions } from '../../src/index.ts'
import { type ManualClock, manualClock } from '../manual-clock.ts'
import { seedWorkspace } from '../workspace.ts'
import { type Receiver, type Reply, startReceiver } from './receiver.ts'

/** Options for sending to a receiver on this machine. */
export const sendingOptions = (): ServerOptions & { clock: ManualClock } => ({
  clock: manualClock(),
  egressAllow: ['127.0.0.1'],
  encryptionKey: 'a key that is only used in tests, of enough characters',
})

type Settings = Parameters<Server['admin']['webhooks']['create']>[1]

/** A workspace with a receiver, subscribed to all events by default. */
export async function subscribe(server: Server, { reply, ...settings }: { reply?: Reply } & Partial<Settings> = {}) {
  const seeded = await seedWorkspace(server)
  const receiver = await startReceiver(reply)
  const subscription = await subscribeReceiver(server, receiver, { workspace: seeded.workspace.id, ...settings })
  const place = { workspace: seeded.workspace.id, id: subscription.id }
  const createTicket = (title: string) => server.admin.tickets.create({ workspace: seeded.workspace.id }, { title })
  return { ...seeded, receiver, subscription, place, createTicket, createTickets: manyOf(createTicket) }
}

/** Creates tickets in batches that the connection pool accepts without refusing any. */
const manyOf = (createTicket: (title: string) => Promise<object>) => async (count: number) => {
  const titles = Array.from({ length: count }, (_, index) => `Ticket ${index}`)
  for (let done = 0; done < count; done += 100) await Promise.all(titles.slice(done, done + 100).map(createTicket))
}

/** Events per ticket with the checklist below, all in one commit, so that a worker fetches them together. */
export const checklistEvents = 12

/** Adds a rule that creates tasks for each new ticket. */
export const addChecklist = (server: Server, workspace: number) =>
  server.admin.rules.create(
    { workspace },
    {
      name: 'Checklist',
      trigger: 'ticket_created',
      actions: Array.from({ length: checklistEvents - 1 }, (_, index) => ({
        type: 'create_task',
        title: `Step ${index}`,
      })),
    },
  )

/**
 * Adds a subscription to a receiver, which then verifies its requests. Standard Webhooks headers
 * are on by default, so that all libraries can verify them.
 */
export async function subscribeReceiver(
  server: Server,
  receiver: Receiver,
  { workspace, ...settings }: Partial<Settings> & { readonly workspace: number },
) {
  const defaults = { url: `${receiver.url}/hook`, events: ['*' as const], standard_webhooks: true }
  const subscription = await server.admin.webhooks.create({ workspace }, { ...defaults, ...settings })
  receiver.expects(subscription)
  return subscription
}

/** Rotates the secret of a subscription and updates the receiver. */
export async function rotate(
  server: Server,
  receiver: Receiver,
  place: { readonly workspace: number; readonly id: number },
  rotation: Parameters<Server['admin']['webhooks']['rotateSecret']>[1] = {},
) {
  const rotated = await server.admin.webhooks.rotateSecret(place, rotation)
  receiver.expects(rotated)
  return rotated
}
