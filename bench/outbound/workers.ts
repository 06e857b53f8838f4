import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from '@service/server'
import { openPostgres } from '../../packages/server/src/store/postgres.ts'
import { setup, teardown } from '../../packages/server/test/postgres.setup.ts'
import { createDatabase } from '../../packages/server/test/postgres-databases.ts'
import { atLeast, type Findings, row } from '../findings.ts'
import type { Options } from '../options.ts'
import { startWorker } from '../processes/server.ts'
import type { Progress } from '../progress.ts'
import { figures, interleave } from '../rounds.ts'
import { ratios } from '../spread.ts'
import { sampleBody } from './backlog.ts'
import type { Receiver } from './receiver.ts'

// Worker processes on one PostgreSQL, and how much more four of them send than one.

const subscriptions = 32
const eventsPerRound = 4000
const warmUpMs = 4000
const encryptionKey = 'a key that is only used in this measurement, of enough characters'

const variants = {
  one: { name: 'one worker process', count: 1 },
  four: { name: 'four worker processes', count: 4 },
} as const
type Variant = (typeof variants)[keyof typeof variants]
const all: readonly Variant[] = Object.values(variants)

export const workersSteps = ({ rounds }: Options) => 1 + rounds * all.length

export async function workers({
  rounds,
  seconds,
  progress,
  receiver,
}: Options & { readonly progress: Progress; readonly receiver: Receiver }): Promise<Findings> {
  let server = ''
  const provide = (_: string, given: string) => {
    server = given
  }
  await setup({ provide } as Parameters<typeof setup>[0]) // of a test project it needs no more
  const { url, drop } = await createDatabase(server)
  const workspaceId = await seedSubscriptions(url, receiver)
  progress('started PostgreSQL')
  const samples = await interleave(all, rounds, async ({ name, count }, round) => {
    await addBacklog(url, workspaceId)
    await using stack = new AsyncDisposableStack()
    for (let index = 0; index < count; index += 1) stack.use(await startWorker(url, encryptionKey))
    await sleep(warmUpMs)
    const { perSecond } = await receiver.rate(seconds)
    progress(`round ${round + 1}: ${name}: ${Math.round(perSecond)}/s`)
    return perSecond
  })
  await drop()
  await teardown()
  return report(samples)
}

async function seedSubscriptions(databaseUrl: string, receiver: Receiver): Promise<number> {
  await using server = await createServer({ databaseUrl, encryptionKey, egressAllow: ['127.0.0.1'] })
  const { id: workspace_id } = await server.admin.workspaces.create({ name: 'Outbound' })
  for (let index = 0; index < subscriptions; index += 1)
    await server.admin.webhooks.create(
      { workspace: workspace_id },
      { url: `${receiver.url}/slow/${index}`, events: ['ticket.*'] },
    )
  return workspace_id
}

/** Makes deliveries wait for every subscription, straight in the tables. */
async function addBacklog(url: string, workspaceId: number): Promise<void> {
  const store = await openPostgres({ url, poolSize: 1, namedStatements: false })
  await store.migrateWith(async (run) => {
    await run(
      `with event as (
        insert into events (workspace_id, name, body, created_at, key)
        select $1::bigint, 'ticket.created', $2::text, 1, gen_random_uuid()::text from generate_series(1, $3::int) returning id
      )
      insert into deliveries (workspace_id, subscription_id, event_id, state, attempt_class, attempts, attempts_before,
        next_attempt_at, created_at)
      select $1::bigint, subscriptions.id, event.id, 'pending', 0, 0, 0, 1, 1 from event, subscriptions`,
      [workspaceId, sampleBody(1), eventsPerRound],
    )
    await run('update delivery_queues set due_at = 1, lease_until = null, lease_token = null')
  })
  await store.close()
}

function report(samples: Map<Variant, number[]>): Findings {
  const rate = (variant: Variant) => figures(samples, variant, (perSecond) => perSecond)
  const toOne = (variant: Variant) => ratios(rate(variant), rate(variants.one))
  return {
    title: 'Outbound: four workers on one PostgreSQL',
    method: `${subscriptions} subscriptions with a backlog each; the receiver takes 250 ms to answer, so that a worker is bound by its 256 requests in flight and not by this machine's two cores, which it shares with the receiver and with PostgreSQL (\`fsync=off\`, as in the tests).`,
    columns: ['deliveries/s', 'deliveries/s / one'],
    rows: all.map((variant) => row(variant.name, rate(variant), toOne(variant))),
    goals: [atLeast('deliveries/s, four workers / one', 3, toOne(variants.four))],
  }
}
