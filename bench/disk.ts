import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createAdminClient } from '@service/client/admin'
import autocannon from 'autocannon'
import { freePort } from '../packages/server/test/free-port.ts'
import { adminToken, type RunningServer, rssMegabytes, startPlatform, temporaryFolder } from './processes.ts'
import { createRequests, seed } from './seed.ts'

const help = `Measures the disk that tickets and deliveries take on SQLite, and the memory of the process while it creates and sends them.

Usage: node bench/disk.ts <tickets>

Build first: pnpm build:server`

/** Of a closed platform, whose write-ahead log is part of the database. */
const megabytesOf = (folder: string) =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1e6

/** Responds to deliveries. `all` settles after this many. */
async function startReceiver(count: number) {
  const port = await freePort()
  const all = Promise.withResolvers<void>()
  let received = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end()
      received += 1
      if (received === count) all.resolve()
    })
  }).listen(port, '127.0.0.1')
  return { url: `http://127.0.0.1:${port}`, all: all.promise, close: () => server.close() }
}

async function measure(tickets: number): Promise<void> {
  using folder = temporaryFolder()
  const data = folder.path('data')
  const seeded = await seed(data, 0)
  const create = ({ origin }: RunningServer) =>
    autocannon({ url: origin, connections: 32, amount: tickets, requests: createRequests(seeded) })
  const sizes = [megabytesOf(data)]
  {
    await using server = await startPlatform(data)
    await create(server)
  }
  sizes.push(megabytesOf(data))
  const receiver = await startReceiver(tickets)
  let memory: number
  {
    await using server = await startPlatform(data)
    const admin = createAdminClient({ baseUrl: `${server.origin}/admin/v1`, token: adminToken, allowInsecure: true })
    for (const { id: workspace } of seeded)
      await admin.webhooks.create({ workspace }, { url: receiver.url, events: ['ticket.created'] })
    await create(server)
    await receiver.all
    memory = rssMegabytes(server.pid)
  }
  receiver.close()
  sizes.push(megabytesOf(data))
  const [empty = 0, created = 0, delivered = 0] = sizes
  const perMillion = (megabytes: number) => ((megabytes / tickets) * 1000).toFixed(2)
  process.stdout.write(
    `| tickets | GB per million tickets | the same, each delivered once | RSS MB |\n|--:|--:|--:|--:|\n`,
  )
  process.stdout.write(
    `| ${tickets} | ${perMillion(created - empty)} | ${perMillion(delivered - created)} | ${memory.toFixed(0)} |\n`,
  )
}

const [tickets] = process.argv.slice(2).map(Number)
if (tickets === undefined || Number.isNaN(tickets)) process.stdout.write(`${help}\n`)
else await measure(tickets)
