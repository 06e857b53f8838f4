import type { PlatformServer, ServerOptions } from '../../src/index.ts'
import { type ManualClock, manualClock } from '../manual-clock.ts'
import { seedWorkspace } from '../workspace.ts'
import { type Reply, startReceiver } from './receiver.ts'

/** What a platform needs in a test to send to a receiver on this machine. */
export const sendingOptions = (): ServerOptions & { clock: ManualClock } => ({
  clock: manualClock(),
  egressAllow: ['127.0.0.1'],
  encryptionKey: 'a key that is only used in tests, of enough characters',
})

/** A workspace with a receiver that is subscribed to everything, or to what is said. */
export async function subscribe(
  server: PlatformServer,
  {
    reply,
    ...settings
  }: { reply?: Reply } & Partial<Parameters<PlatformServer['admin']['webhooks']['create']>[0]> = {},
) {
  const seeded = await seedWorkspace(server)
  const receiver = await startReceiver(reply)
  const subscription = await server.admin.webhooks.create({
    workspace_id: seeded.workspace.id,
    url: `${receiver.url}/hook`,
    events: ['*'],
    ...settings,
  })
  const place = { workspace_id: seeded.workspace.id, id: subscription.id }
  const createTicket = (title: string) => server.admin.tickets.create({ workspace_id: seeded.workspace.id, title })
  return { ...seeded, receiver, subscription, place, createTicket }
}
