import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin } from '@service/client/admin'
import { interleave, type Options, type Sample, type Scenario } from '../measure.ts'
import { adminOf, cpuMicros, type RunningServer, startPlatform, startProgram, temporaryFolder } from '../processes.ts'
import { type SeededWorkspace, seed } from '../seed.ts'

const events = 20_000
const warmUpMs = 1000

export const delivery: Scenario = {
  title: 'Delivery: signed webhooks to a receiver that responds immediately',
  method: `The platform replays ${events / 10} events of each of ten workspaces to new subscriptions: it leases, signs, sends, and records
each attempt on disk. The floor signs and sends 64 requests at a time with undici's pool and records nothing.`,
  async measure(options) {
    using folder = temporaryFolder()
    const seeded = await seed(folder.path('platform'), events)
    const receiver = await startReceiver()
    const floor = async () => {
      await using sender = await startProgram('sender.ts', receiver.url)
      return await countDeliveries(sender, receiver, options)
    }
    const platform = async () => {
      await using server = await startPlatform(folder.path('platform'))
      return await deliver({ server, admin: adminOf(server), seeded, receiver }, options)
    }
    try {
      return await interleave({ floor, platform }, options)
    } finally {
      receiver.close()
    }
  },
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

interface Deliveries {
  readonly server: RunningServer
  readonly admin: Admin
  readonly seeded: readonly SeededWorkspace[]
  readonly receiver: Receiver
}

/** Replays the events of all workspaces to new subscriptions, which are deleted at the end. */
export async function deliver({ server, admin, seeded, receiver }: Deliveries, options: Options): Promise<Sample> {
  for (const { id: workspace } of seeded) {
    const { id } = await admin.webhooks.create({ workspace }, { url: receiver.url, events: ['ticket.*'] })
    await admin.webhooks.replayMissing({ workspace, id }, { since: '2020-01-01T00:00:00Z' })
  }
  const sample = await countDeliveries(server, receiver, options)
  for (const { id: workspace } of seeded)
    for (const { id } of (await admin.webhooks.list({ workspace })).data) await admin.webhooks.delete({ workspace, id })
  return sample
}

async function countDeliveries({ pid }: RunningServer, { received }: Receiver, { seconds }: Options): Promise<Sample> {
  await sleep(warmUpMs)
  const [cpu, before, startedAt] = [cpuMicros(pid), received(), performance.now()]
  await sleep(seconds * 1000)
  const arrived = received() - before
  if (arrived === 0) throw new Error('No delivery arrived.')
  const perSecond = arrived / ((performance.now() - startedAt) / 1000)
  return { 'CPU µs/delivery': (cpuMicros(pid) - cpu) / arrived, 'deliveries/s': perSecond }
}

export async function startReceiver() {
  let received = 0
  const server = createServer((request, response) => {
    received += 1
    request.resume()
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has an address
  return {
    url: `http://127.0.0.1:${port}`,
    received: () => received,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
