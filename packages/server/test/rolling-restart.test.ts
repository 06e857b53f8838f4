import { expect, inject, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { startBalancer } from './balancer.ts'
import { createDatabase } from './postgres-databases.ts'
import { openTables } from './tables.ts'
import { seedWorkspace } from './workspace.ts'

/** Nodes on one database behind a load balancer, as in a deployment. */
async function startInstallation() {
  const { url: databaseUrl, drop } = await createDatabase(inject('postgresUrl'))
  const balancer = await startBalancer({ checkEveryMs: 10 })
  const running = new Set<() => Promise<void>>()
  const startNode = async () => {
    const server = await createServer({
      ...{ databaseUrl, databaseWaitTimeoutMs: 20_000, rateLimit: 'off' },
      // The defaults of a separate process. Without them a node in a test does not wait for clients.
      ...{ drainDelayMs: 200, drainIdleMs: 6_500 },
    })
    const { url } = await server.listen()
    balancer.add(url)
    await balancer.becomes(url, 'ready')
    const stop = async () => {
      running.delete(stop)
      await server.close()
      balancer.remove(url)
    }
    running.add(stop)
    return { server, stop }
  }
  onTestFinished(async () => {
    await balancer.close()
    for (const stop of running) await stop()
    await drop()
  })
  return { balancer, startNode, databaseUrl }
}

test('restarting two nodes one after the other causes no error for clients of their balancer', async () => {
  const { balancer, startNode, databaseUrl } = await startInstallation()
  const first = await startNode()
  const second = await startNode()
  const { workspace, token } = await seedWorkspace(first.server)
  const url = `${balancer.url}/api/v1/workspaces/${workspace.id}/tickets`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const read: number[] = []
  const written: number[] = []
  let isOver = false
  const keepWriting = async (writer: number) => {
    for (let at = 0; !isOver; at += 1) {
      const body = JSON.stringify({ title: `Ticket ${at} of ${writer}` })
      const answer = await fetch(url, { method: 'POST', headers, body })
      written.push(answer.status)
      await answer.arrayBuffer()
    }
  }
  const keepReading = async () => {
    while (!isOver) {
      const answer = await fetch(url, { headers })
      read.push(answer.status)
      await answer.arrayBuffer()
    }
  }
  const running = [keepWriting(1), keepWriting(2), keepWriting(3), keepReading(), keepReading()]
  for (const { stop } of [first, second]) {
    await stop()
    await startNode()
  }
  isOver = true
  await Promise.all(running)
  expect(new Set(read)).toEqual(new Set([200]))
  expect(new Set(written)).toEqual(new Set([201]))
  const tables = await openTables({ databaseUrl })
  const titles = (await tables.rows('select title from tickets')).map(({ title }) => title)
  await tables.close()
  expect(titles).toHaveLength(written.length)
  expect(new Set(titles).size).toBe(titles.length)
})
