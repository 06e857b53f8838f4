import { join } from 'node:path'
import { systemClock } from '../../packages/server/src/core/system-clock.ts'
import { findDue, readTargets } from '../../packages/server/src/delivery/dispatch/due-queries.ts'
import { claimQueues, markDue } from '../../packages/server/src/delivery/leases/queue-queries.ts'
import { openSqlite } from '../../packages/server/src/store/sqlite.ts'
import { latenciesOf } from './latency-of.ts'

// How long a claim takes: leasing what is due, in a transaction, and fetching the first 256 deliveries.

export interface ClaimTimes {
  readonly p50Ms: number
  readonly p99Ms: number
}

const times = 300
const batch = 256
const leaseMicros = 1000

const [data = ''] = process.argv.slice(2)
const store = openSqlite({ path: join(data, 'service.db'), synchronous: 'full' })
const clock = systemClock()
const taken: number[] = []
for (let time = 0; time < times; time += 1) {
  await store.transaction(() => markDue(store, [{ workspaceId: 1, subscriptionId: 1 }], 0))
  await new Promise((resolve) => setTimeout(resolve, 2))
  const startedAt = performance.now()
  const found = await claim(`worker ${time}`)
  taken.push(performance.now() - startedAt)
  if (found !== batch) throw new Error(`${found} deliveries were claimed instead of ${batch}.`)
}
await store.close()
const { p50, p99 } = latenciesOf(taken)
console.log(JSON.stringify({ p50Ms: p50, p99Ms: p99 } satisfies ClaimTimes))

async function claim(token: string): Promise<number> {
  const now = clock.now()
  const lease = { token, now, until: now + leaseMicros, dueBy: now }
  const queues = await store.transaction(() => claimQueues(store, lease, batch))
  await readTargets(store, queues)
  const found = await Promise.all(
    queues.map((queue) => findDue(store, { ...queue, now, limit: batch, fifo: false, except: [] })),
  )
  return found.flat().length
}
