import { sql } from 'kysely'
import type { TxApp } from '../context.ts'
import { validation } from '../core/errors.ts'
import { lockText } from './transaction.ts'

interface RowLimit {
  readonly table: string
  /** The column with the id of whom the rows belong to. */
  readonly owner: 'workspace_id' | 'user_id'
  readonly most: number
  /** Which rows count, if not all. `:now` is the current instant. */
  readonly counted?: string
  /** How users call the rows, and how they make room. */
  readonly rows: string
  readonly remedy: string
}

const alive = 'revoked_at is null and (expires_at is null or expires_at > :now)'

/**
 * The most rows that a workspace or person may have of each kind. Regular use stays far below. The limits keep a tenant
 * from filling the database, and from slowing down what reads all of its rows. `docs/guides/limits.md` lists them.
 */
export const rowLimits = {
  webhooks: {
    table: 'subscriptions',
    owner: 'workspace_id',
    most: 500,
    counted: 'deleted_at is null',
    rows: 'webhooks',
    remedy: 'Delete one first.',
  },
  delivery_jobs: {
    table: 'delivery_jobs',
    owner: 'workspace_id',
    most: 20,
    counted: "state = 'running'",
    rows: 'running jobs that send deliveries again',
    remedy: 'Wait until one has finished.',
  },
  tokens: {
    table: 'api_tokens',
    owner: 'workspace_id',
    most: 500,
    counted: alive,
    rows: 'valid API tokens',
    remedy: 'Revoke one first.',
  },
  personal_tokens: {
    table: 'personal_tokens',
    owner: 'user_id',
    most: 100,
    counted: alive,
    rows: 'valid personal tokens',
    remedy: 'Revoke one first.',
  },
  links: {
    table: 'one_time_links',
    owner: 'user_id',
    most: 50,
    counted: 'expires_at > :now',
    rows: 'valid one-time links',
    remedy: 'Use the latest one, or wait until one has expired.',
  },
  rules: {
    table: 'automation_rules',
    owner: 'workspace_id',
    most: 200,
    rows: 'automation rules',
    remedy: 'Delete one first.',
  },
  sla_policies: {
    table: 'sla_policies',
    owner: 'workspace_id',
    most: 50,
    rows: 'priorities with an SLA policy',
    remedy: 'Set both targets of one of them to null first.',
  },
  members: {
    table: 'members',
    owner: 'workspace_id',
    most: 10_000,
    rows: 'members',
    remedy: 'Remove one first.',
  },
  channels: {
    table: 'channels',
    owner: 'workspace_id',
    most: 500,
    rows: 'channels',
    remedy: 'Delete one without messages first.',
  },
  devices: {
    table: 'devices',
    owner: 'workspace_id',
    most: 1000,
    rows: 'attendance devices',
    remedy: 'Delete one without punches first.',
  },
  shared_views: {
    table: 'shared_views',
    owner: 'workspace_id',
    most: 20,
    rows: 'shared views',
    remedy: 'Remove one first.',
  },
} as const satisfies Readonly<Record<string, RowLimit>>

/** Changes of an owner's rows of a kind happen one after another until the transaction ends. */
export const lockRows = (app: TxApp, name: keyof typeof rowLimits, ownerId: number) =>
  lockText(app, `rows of ${name} ${ownerId}`)

/**
 * Throws 422 if the owner has no room for another row. Two transactions that add rows at once wait for each other, so
 * that each counts what the other has added.
 */
export async function requireRoom(app: TxApp, name: keyof typeof rowLimits, ownerId: number): Promise<void> {
  const limit: RowLimit = rowLimits[name]
  await lockRows(app, name, ownerId)
  const counted = (limit.counted ?? '1 = 1').split(':now').map((part) => sql.raw(part))
  const { rows } = await sql<{ count: number | string }>`select count(*) as count from (
    select 1 from ${sql.table(limit.table)}
    where ${sql.ref(limit.owner)} = ${ownerId} and ${sql.join(counted, sql`${app.clock.now()}`)}
    limit ${limit.most}) as counted`.execute(app.db)
  if (Number(rows[0]?.count) < limit.most) return
  const owner = limit.owner === 'workspace_id' ? 'workspace' : 'person'
  throw validation({ [name]: [`A ${owner} may have ${limit.most} ${limit.rows}. ${limit.remedy}`] })
}
