import { createAdminClient } from '@service/client/admin'
import { expect, test } from 'vitest'
import { startLoad } from './outage-load.ts'
import { startReplicatedPostgres } from './replicated-postgres.ts'
import { asked } from './restartable-postgres.ts'
import { startCountingReceiver, startServer } from './server-process.ts'

test('a server loses no acknowledged write when its primary is killed and the standby is promoted', async () => {
  const postgres = await startReplicatedPostgres()
  try {
    const server = await startServer(['--seed', 'demo'], {
      NODE_NO_WARNINGS: '1',
      SERVICE_DATABASE_URL: postgres.url,
      SERVICE_ENCRYPTION_KEY: 'a key that is only used in this proof, of enough characters',
      SERVICE_ADMIN_TOKEN: 'an-admin-token-of-this-proof',
      SERVICE_EGRESS_ALLOW: '127.0.0.1',
    })
    const receiver = await startCountingReceiver()
    const admin = createAdminClient({ baseUrl: `${server.url}/admin/v1`, token: server.adminToken })
    await admin.webhooks.create({ workspace: server.workspace }, { url: receiver.url, events: ['ticket.created'] })
    const load = startLoad(server, { writers: 20, readers: 10 })
    const readiness = () => load.answers.filter(({ kind }) => kind === 'ready').at(-1)?.status
    await expect.poll(() => load.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(100)
    postgres.killPrimary()
    await expect.poll(readiness, { timeout: 30_000 }).toBe(503)
    const startedAt = performance.now()
    await postgres.promote()
    const promotedAt = performance.now()
    const backAt = await load.firstWriteAfter(promotedAt)
    await expect.poll(readiness, { timeout: 30_000 }).toBe(200)
    await load.firstWriteAfter(performance.now())
    await load.stop()
    process.stderr.write(
      `promoted in ${Math.round(promotedAt - startedAt)} ms, first write ${Math.round(backAt - promotedAt)} ms later\n`,
    )
    const titles = new Set((await asked(postgres, 'select title from tickets')).map(({ title }) => title))
    expect([...load.acknowledged].filter((title) => !titles.has(title))).toEqual([])
    await expect
      .poll(() => [...load.acknowledged].filter((title) => !receiver.arrivals.has(title)), { timeout: 120_000 })
      .toEqual([])
    expect(load.answers.filter(({ status }) => ![200, 201, 503].includes(status))).toEqual([])
    expect(server.errors.filter((line) => /unhandled/i.test(line))).toEqual([])
    expect((await server.end('SIGTERM')).code).toBe(0)
    receiver.close()
  } finally {
    await postgres.remove()
  }
})
