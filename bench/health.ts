import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { createAdminClient } from '@service/client/admin'
import { freePort } from '../packages/server/test/free-port.ts'
import { adminToken, type RunningServer, startPlatform, temporaryFolder } from './processes.ts'

const help = `Measures how long health checks wait while many clients connect at the same moment, on the main port and on the health port.

Usage: node bench/health.ts <connections…>

Build first: pnpm build:server`

const tickets = 50
const rounds = 3
const checkEveryMs = 50

/** Asks from a thread, because the clients of this process keep its event loop busy. */
const checker = `const { parentPort, workerData } = require('node:worker_threads')
  const { get } = require('node:http')
  let longest = 0, sent = 0, answered = 0, isLast = false
  const check = () => {
    const startedAt = performance.now()
    sent += 1
    get(workerData.url, { agent: false }, (response) => response.resume().on('end', () => {
      answered += 1
      longest = Math.max(longest, performance.now() - startedAt)
      if (isLast && answered === sent) parentPort.postMessage(longest)
    }))
  }
  check()
  const timer = setInterval(check, ${checkEveryMs})
  parentPort.once('message', () => { clearInterval(timer); isLast = true; check(); parentPort.unref() })`

/** The longest wait of a health check while `work` runs. */
async function longestWait(url: string, work: () => Promise<void>): Promise<number> {
  const thread = new Worker(checker, { eval: true, workerData: { url } })
  const longest = new Promise<number>((resolve, reject) => thread.once('message', resolve).once('error', reject))
  await new Promise((resolve) => thread.once('online', resolve))
  await work()
  thread.postMessage('end')
  return longest.finally(() => thread.terminate())
}

/** Each client connects, sends one request, and reads its response. */
function arrive({ origin }: RunningServer, { path, clients }: { path: string; clients: number }): Promise<void> {
  const { port, hostname } = new URL(origin)
  const request = `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${adminToken}\r\nconnection: close\r\n\r\n`
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname).on('error', reject)
      socket.write(request)
      socket.resume().on('end', resolve)
    })
  return Promise.all(Array.from({ length: clients }, one)).then(() => undefined)
}

async function measure(clients: number): Promise<void> {
  using folder = temporaryFolder()
  const healthPort = await freePort()
  await using server = await startPlatform(folder.path('data'), { SERVICE_HEALTH_PORT: String(healthPort) })
  const admin = createAdminClient({ baseUrl: `${server.origin}/admin/v1`, token: adminToken, allowInsecure: true })
  const { id: workspace } = await admin.workspaces.create({ name: 'Acme' })
  for (let number = 1; number <= tickets; number += 1) await admin.tickets.create({ workspace }, { title: `${number}` })
  const arrival = () => arrive(server, { path: `/admin/v1/workspaces/${workspace}/tickets`, clients })
  await arrival()
  const main: number[] = []
  const health: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    main.push(await longestWait(`${server.origin}/livez`, arrival))
    health.push(await longestWait(`http://127.0.0.1:${healthPort}/livez`, arrival))
  }
  const shown = (times: readonly number[]) => `${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)}`
  process.stdout.write(`| ${clients} | ${shown(main)} | ${shown(health)} |\n`)
}

const counts = process.argv.slice(2).map(Number)
if (counts.length === 0 || counts.some(Number.isNaN)) process.stdout.write(`${help}\n`)
else {
  process.stdout.write('| connections at once | /livez, main port, ms | /livez, health port, ms |\n|--:|--:|--:|\n')
  for (const count of counts) await measure(count)
}
