import { createServer } from '@service/server'
import { openPostgres } from '../../packages/server/src/store/postgres.ts'
import { setup, teardown } from '../../packages/server/test/postgres.setup.ts'
import { createDatabase, createEmptyDatabase } from '../../packages/server/test/postgres-databases.ts'
import { sampleBody } from './backlog.ts'

export const encryptionKey = 'a key that is only used in this measurement, of enough characters'

/** The PostgreSQL of the tests. */
export interface Databases extends AsyncDisposable {
  /** One with the tables of ours. */
  create(): Promise<string>
  createEmpty(): Promise<string>
}

export async function startDatabases(): Promise<Databases> {
  let server = ''
  const provide = (_: string, given: string) => {
    server = given
  }
  await setup({ provide } as Parameters<typeof setup>[0]) // of a test project it needs no more
  const made: (() => Promise<void>)[] = []
  const keep = ({ url, drop }: { url: string; drop(): Promise<void> }) => {
    made.push(drop)
    return url
  }
  return {
    create: async () => keep(await createDatabase(server)),
    createEmpty: async () => keep(await createEmptyDatabase(server)),
    async [Symbol.asyncDispose]() {
      for (const drop of made) await drop()
      await teardown()
    },
  }
}

/** A workspace with a subscription for each address; gives back its id. */
export async function seedSubscriptions(databaseUrl: string, urls: readonly string[]): Promise<number> {
  await using server = await createServer({ databaseUrl, encryptionKey, egressAllow: ['127.0.0.1'] })
  const { id: workspace_id } = await server.admin.workspaces.create({ name: 'Outbound' })
  for (const url of urls) await server.admin.webhooks.create({ workspace: workspace_id }, { url, events: ['ticket.*'] })
  return workspace_id
}

/** Makes so many deliveries wait for every subscription, straight in the tables. */
export async function addBacklog(
  url: string,
  { workspaceId, events }: { readonly workspaceId: number; readonly events: number },
): Promise<void> {
  const store = await openPostgres({ url, poolSize: 1, namedStatements: false })
  await store.migrateWith(async (run) => {
    await run(
      `with event as (
        insert into events (workspace_id, name, body, created_at, key)
        select $1::bigint, 'ticket.created', $2::text, 1, gen_random_uuid()::text from generate_series(1, $3::int) returning id
      )
      insert into deliveries (workspace_id, subscription_id, event_id, state, attempt_class, attempts, attempts_before,
        next_attempt_at, created_at)
      select $1::bigint, subscriptions.id, event.id, 'pending', 0, 0, 0, 1, 1 from event, subscriptions
      where subscriptions.workspace_id = $1::bigint`,
      [workspaceId, sampleBody(1), events],
    )
    await run(
      'update delivery_queues set due_at = 1, lease_until = null, lease_token = null where workspace_id = $1::bigint',
      [workspaceId],
    )
  })
  await store.close()
}
