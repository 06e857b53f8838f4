import type * as z from 'zod/mini'
import { notFound } from '../../api-error.ts'
import type { App, TxApp } from '../../context.ts'
import { openQueue, stirQueue } from '../../delivery/outbox.ts'
import { toInstant, toInstantOrNull } from '../../instants.ts'
import { defaultPage, type Page } from '../../page.ts'
import { sealHeaders, sealSecret, unsealHeaders } from '../../sealing/subscription-secrets.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { getWorkspace } from '../workspaces/service.ts'
import type { NewSubscription, SubscriptionPatch } from './input.ts'
import * as queries from './queries.ts'
import { requireReceiver } from './receiver.ts'
import { newSigningSecret } from './signing-secret.ts'

/** A subscription as it may be shown: its secret and the values of its headers are not. */
export interface Subscription {
  readonly id: number
  readonly url: string
  readonly description: string | null
  readonly events: readonly string[]
  readonly encoding: string
  readonly standard_webhooks: boolean
  readonly header_names: readonly string[]
  readonly rate_per_minute: number | null
  /** Seconds between the attempts; null for the platform's own schedule. */
  readonly schedule: readonly number[] | null
  readonly fifo: boolean
  readonly enabled: boolean
  /** `manual`, `gone` (the receiver answered 410) or `failing` (no success for five days). */
  readonly disabled_reason: string | null
  readonly disabled_at: string | null
  readonly failing_since: string | null
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  /** Until then the secret before the last rotation signs too. */
  readonly previous_secret_until: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface SubscriptionAt {
  readonly workspaceId: number
  readonly id: number
}

/** The secret is in this answer and nowhere else. */
export function createSubscription(
  app: App,
  { workspace_id, events, ...given }: z.output<typeof NewSubscription>,
  { secret = newSigningSecret(app.ids) }: { readonly secret?: string } = {},
): Promise<Subscription & { readonly secret: string }> {
  requireReceiver(given)
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    const id = await queries.insertSubscription(app.db, freshRow(app, workspace_id, given))
    await queries.updateSubscription(app.db, id, {
      // The place of a sealed text has the id in it, so it is sealed once the id is known.
      secret_sealed: sealSecret(app, id, secret),
      headers_sealed: sealHeaders(app, id, given.headers),
    })
    await queries.replacePatterns(app.db, { workspaceId: workspace_id, id }, events)
    await openQueue(app, id)
    return { ...(await getSubscription(app, { workspaceId: workspace_id, id })), secret }
  })
}

type Given = Omit<z.output<typeof NewSubscription>, 'workspace_id' | 'events'>

function freshRow(app: TxApp, workspaceId: number, given: Given): queries.NewSubscriptionRow {
  const now = app.clock.now()
  return {
    workspace_id: workspaceId,
    url: given.url,
    description: given.description ?? null,
    secret_sealed: '',
    previous_secret_sealed: null,
    previous_secret_until: null,
    encoding: given.encoding ?? 'hex',
    standard_webhooks: toInteger(given.standard_webhooks ?? false),
    headers_sealed: null,
    rate_per_minute: given.rate_per_minute ?? null,
    schedule: scheduleText(given.schedule),
    fifo: toInteger(given.fifo ?? false),
    created_at: now,
    updated_at: now,
    deleted_at: null,
  }
}

export async function listSubscriptions(
  app: App,
  workspaceId: number,
  page: Page = defaultPage,
): Promise<Subscription[]> {
  const rows = await queries.listSubscriptions(app.db, workspaceId, page)
  const patterns = await queries.listPatterns(
    app.db,
    workspaceId,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => toSubscription(app, row, patterns))
}

export async function getSubscription(app: App, { workspaceId, id }: SubscriptionAt): Promise<Subscription> {
  const row = await queries.findSubscription(app.db, workspaceId, id)
  if (row === undefined) throw notFound('subscription', id)
  return toSubscription(app, row, await queries.listPatterns(app.db, workspaceId, [id]))
}

/** Changes settings. What waits already is sent with the new ones. */
export function updateSubscription(
  app: App,
  at: SubscriptionAt,
  patch: z.output<typeof SubscriptionPatch>,
): Promise<Subscription> {
  requireReceiver(patch)
  return inTransaction(app, async (app) => {
    await getSubscription(app, at)
    const { events, headers, standard_webhooks, url, encoding, schedule, fifo, ...others } = patch
    await queries.updateSubscription(app.db, at.id, {
      ...others,
      ...(url === undefined ? {} : { url }),
      ...(encoding === undefined ? {} : { encoding }),
      ...(standard_webhooks === undefined ? {} : { standard_webhooks: toInteger(standard_webhooks) }),
      ...(schedule === undefined ? {} : { schedule: scheduleText(schedule) }),
      ...(fifo === undefined ? {} : { fifo: toInteger(fifo) }),
      ...(headers === undefined ? {} : { headers_sealed: sealHeaders(app, at.id, headers) }),
      updated_at: app.clock.now(),
    })
    if (events !== undefined) await queries.replacePatterns(app.db, at, events)
    await stirQueue(app, at.id)
    return getSubscription(app, at)
  })
}

const scheduleText = (seconds: readonly number[] | null = null) => seconds && JSON.stringify(seconds)

function toSubscription(
  app: App,
  row: queries.SubscriptionRow,
  patterns: readonly { subscription_id: number; pattern: string }[],
): Subscription {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: patterns.filter(({ subscription_id }) => subscription_id === row.id).map(({ pattern }) => pattern),
    encoding: row.encoding,
    standard_webhooks: toBoolean(row.standard_webhooks),
    header_names: Object.keys(unsealHeaders(app, row.id, row.headers_sealed)),
    rate_per_minute: row.rate_per_minute,
    schedule: row.schedule === null ? null : JSON.parse(row.schedule),
    fifo: toBoolean(row.fifo),
    enabled: row.disabled_at === null,
    disabled_reason: row.disabled_reason,
    disabled_at: toInstantOrNull(row.disabled_at),
    failing_since: toInstantOrNull(row.failing_since),
    last_success_at: toInstantOrNull(row.last_success_at),
    last_failure_at: toInstantOrNull(row.last_failure_at),
    previous_secret_until: toInstantOrNull(row.previous_secret_until),
    created_at: toInstant(row.created_at),
    updated_at: toInstant(row.updated_at),
  }
}
