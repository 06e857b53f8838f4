import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdminClient } from '@service/client/admin'
import { interleave, type Sample, type Scenario } from '../measure.ts'
import {
  adminToken,
  cpuMicros,
  type RunningServer,
  startPlatform,
  startProgram,
  temporaryFolder,
} from '../processes.ts'
import { seed } from '../seed.ts'

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
    const count = async ({ pid }: RunningServer): Promise<Sample> => {
      await sleep(warmUpMs)
      const [cpu, received, startedAt] = [cpuMicros(pid), receiver.received(), performance.now()]
      await sleep(options.seconds * 1000)
      const arrived = receiver.received() - received
      if (arrived === 0) throw new Error('No delivery arrived.')
      const perSecond = arrived / ((performance.now() - startedAt) / 1000)
      return { 'CPU µs/delivery': (cpuMicros(pid) - cpu) / arrived, 'deliveries/s': perSecond }
    }
    const floor = async () => {
      await using sender = await startProgram('sender.ts', receiver.url)
      return await count(sender)
    }
    const platform = async () => {
      await using server = await startPlatform(folder.path('platform'))
      const admin = createAdminClient({ baseUrl: `${server.origin}/admin/v1`, token: adminToken })
      for (const { id: workspace } of seeded) {
        const { id } = await admin.webhooks.create({ workspace }, { url: receiver.url, events: ['ticket.*'] })
        await admin.webhooks.replayMissing({ workspace, id }, { since: '2020-01-01T00:00:00Z' })
      }
      const sample = await count(server)
      for (const { id: workspace } of seeded)
        for (const { id } of (await admin.webhooks.list({ workspace })).data)
          await admin.webhooks.delete({ workspace, id })
      return sample
    }
    try {
      return await interleave({ floor, platform }, options)
    } finally {
      receiver.close()
    }
  },
}

async function startReceiver() {
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
