import { integerId } from '@service/contract'
import { maxCount } from '@service/contract/admin/pages'
import { type SubscriptionPatch, subscriptionFields } from '@service/contract/admin/webhook-input'
import type { Subscription, SubscriptionWithSecret } from '@service/contract/admin/webhooks'
import * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import { formatInstant, formatInstantOrNull, type Micros } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import type { Ids } from '../../core/ids.ts'
import { formatCursor, toSortablePage } from '../../core/pagination.ts'
import { createQueue, wakeQueue } from '../../delivery/queues/queues.ts'
import {
  decryptHeaders,
  decryptUrl,
  encryptHeaders,
  encryptSecret,
  encryptUrl,
} from '../../encryption/subscription-secrets.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { requireRoom } from '../../store/row-limits.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { getWorkspace } from '../workspaces/service.ts'
import * as queries from './queries.ts'
import { normalUrl, requireReceiver } from './receiver.ts'

/** The API input plus the workspace id, for callers without a path. */
export const NewSubscription = z.object({ workspace_id: integerId, ...subscriptionFields })
export type NewSubscription = z.input<typeof NewSubscription>

/** A date-time with an offset. */
export const SinceInput = z.object({ since: z.string() })
export type SinceInput = z.input<typeof SinceInput>

export function createSubscription(
  app: App,
  { workspace_id, events, ...settings }: z.output<typeof NewSubscription>,
  { secret = newSigningSecret(app.ids) }: { readonly secret?: string } = {},
): Promise<SubscriptionWithSecret & { readonly url: string }> {
  requireReceiver(app, settings)
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    await requireRoom(app, 'webhooks', workspace_id)
    app.store.noteWorkspaces([workspace_id])
    const url = normalUrl(settings.url)
    const id = await queries.insertSubscription(app.db, toRow(app, workspace_id, settings))
    const at = { workspaceId: workspace_id, id }
    await queries.updateSubscription(app.db, at, {
      // Encryption binds the row id, so the id must exist first.
      url_encrypted: await encryptUrl(app, id, url),
      secret_encrypted: await encryptSecret(app, id, secret),
      headers_encrypted: await encryptHeaders(app, id, settings.headers),
    })
    await queries.replacePatterns(app.db, at, events)
    await createQueue(app, at)
    return { ...(await getSubscription(app, at)), url, secret }
  })
}

type Settings = Omit<z.output<typeof NewSubscription>, 'workspace_id' | 'events'>

function toRow(app: TxApp, workspaceId: number, settings: Settings): queries.NewSubscriptionRow {
  const now = app.clock.now()
  return {
    workspace_id: workspaceId,
    url_encrypted: '',
    description: settings.description ?? null,
    secret_encrypted: '',
    previous_secret_encrypted: null,
    previous_secret_until: null,
    encoding: settings.encoding ?? 'hex',
    standard_webhooks: toInteger(settings.standard_webhooks ?? false),
    headers_encrypted: null,
    rate_per_minute: settings.rate_per_minute ?? null,
    schedule: scheduleText(settings.schedule),
    fifo: toInteger(settings.fifo ?? false),
    created_at: now,
    updated_at: now,
    deleted_at: null,
  }
}

interface SubscriptionSearch extends queries.SubscriptionQuery {
  readonly search?: string | undefined
}

export async function listSubscriptions(app: App, workspaceId: number, { state, ...others }: SubscriptionSearch) {
  const query: SubscriptionSearch = state === undefined ? others : { ...others, state, sort: 'state' }
  const rows = await findRows(app, workspaceId, query)
  const patterns = await queries.listPatterns(
    app.db,
    workspaceId,
    rows.map(({ id }) => id),
  )
  return toSortablePage(rows, query, (row) => toSubscription(app, row, patterns))
}

const rowsPerSearchStep = 200

/** URLs are encrypted, so the database cannot search them. */
async function findRows(app: App, workspaceId: number, { search, ...query }: SubscriptionSearch) {
  if (search === undefined) return queries.listSubscriptions(app.db, workspaceId, query)
  const text = search.toLowerCase()
  const matches: queries.SubscriptionRow[] = []
  let { before, cursor } = query
  for (;;) {
    const step = { ...query, before, cursor, limit: rowsPerSearchStep }
    const rows = await queries.listSubscriptions(app.db, workspaceId, step)
    matches.push(
      ...rows.filter((row) => `${row.description ?? ''} ${readUrl(app, row) ?? ''}`.toLowerCase().includes(text)),
    )
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsPerSearchStep || matches.length >= query.limit) break
    before = last.id
    cursor = formatCursor(last)
  }
  return matches.slice(0, query.limit)
}

/** The number of subscriptions in each state. */
export const countSubscriptions = (app: App, { workspaceId }: Pick<RowRef, 'workspaceId'>) =>
  queries.countSubscriptions(app.db, workspaceId, maxCount)

export async function getSubscription(app: App, { workspaceId, id }: RowRef): Promise<Subscription> {
  const row = await queries.findSubscription(app.db, workspaceId, id)
  if (row === undefined) throw notFound('subscription', id)
  return toSubscription(app, row, await queries.listPatterns(app.db, workspaceId, [id]))
}

/** Changes settings. Pending deliveries use the new ones. */
export function updateSubscription(
  app: App,
  at: RowRef,
  patch: z.output<typeof SubscriptionPatch>,
): Promise<Subscription> {
  requireReceiver(app, patch)
  return inTransaction(app, async (app) => {
    await getSubscription(app, at)
    const { events, headers, standard_webhooks, url, encoding, schedule, fifo, ...others } = patch
    await queries.updateSubscription(app.db, at, {
      ...others,
      ...(url === undefined ? {} : { url_encrypted: await encryptUrl(app, at.id, normalUrl(url)) }),
      ...(encoding === undefined ? {} : { encoding }),
      ...(standard_webhooks === undefined ? {} : { standard_webhooks: toInteger(standard_webhooks) }),
      ...(schedule === undefined ? {} : { schedule: scheduleText(schedule) }),
      ...(fifo === undefined ? {} : { fifo: toInteger(fifo) }),
      ...(headers === undefined ? {} : { headers_encrypted: await encryptHeaders(app, at.id, headers) }),
      updated_at: app.clock.now(),
    })
    if (events !== undefined) await queries.replacePatterns(app.db, at, events)
    await wakeQueue(app, at)
    return getSubscription(app, at)
  })
}

const scheduleText = (seconds: readonly number[] | null = null) => seconds && JSON.stringify(seconds)

/** Returns an empty list if the headers' encryption key was lost. */
function headerNames(app: App, { id, headers_encrypted }: queries.SubscriptionRow): string[] {
  if (headers_encrypted === null || !app.cipher.isReadable(headers_encrypted)) return []
  return Object.keys(decryptHeaders(app, id, headers_encrypted))
}

const readUrl = (app: App, { id, url_encrypted }: queries.SubscriptionRow) =>
  app.cipher.isReadable(url_encrypted) ? decryptUrl(app, id, url_encrypted) : null

function toSubscription(
  app: App,
  row: queries.SubscriptionRow,
  patterns: readonly { subscription_id: number; pattern: string }[],
): Subscription {
  // Receiver health uses the scheduler's clock, which may differ from wall time.
  const toInstant = (at: Micros | null) => (at === null ? null : formatInstant(app.clock.toWall(at)))
  return {
    id: row.id,
    url: app.cipher.isReadable(row.url_encrypted) ? decryptUrl(app, row.id, row.url_encrypted) : null,
    description: row.description,
    events: patterns.filter(({ subscription_id }) => subscription_id === row.id).map(({ pattern }) => pattern),
    encoding: row.encoding,
    standard_webhooks: toBoolean(row.standard_webhooks),
    header_names: headerNames(app, row),
    rate_per_minute: row.rate_per_minute,
    schedule: row.schedule === null ? null : JSON.parse(row.schedule),
    fifo: toBoolean(row.fifo),
    enabled: row.disabled_at === null,
    disabled_reason: row.disabled_reason,
    disabled_at: formatInstantOrNull(row.disabled_at),
    failing_since: toInstant(row.failing_since),
    last_success_at: toInstant(row.last_success_at),
    last_failure_at: toInstant(row.last_failure_at),
    previous_secret_until: formatInstantOrNull(row.previous_secret_until),
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
  }
}

/** 256 random bits in the format of Standard Webhooks libraries: `whsec_` plus base64. */
export const newSigningSecret = (ids: Ids): string => `whsec_${Buffer.from(ids.bytes(32)).toString('base64')}`
