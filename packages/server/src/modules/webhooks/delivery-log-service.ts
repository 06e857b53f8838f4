import type { Delivery, DeliveryAttempt, DeliveryRequest, DeliveryWithBody } from '@service/contract/admin/deliveries'
import type { App } from '../../context.ts'
import { formatInstant, formatInstantOrNull } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import { defaultPage, type FoundRows, mapRows, type Page } from '../../core/pagination.ts'
import { previewRequest } from '../../delivery/queues/preview-request.ts'
import { deliveryId } from '../../delivery/queues/request.ts'
import { toBoolean } from '../../store/columns.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { lostKey, lostKeyError, requireReadable } from './lost-key-service.ts'
import * as queries from './queries.ts'
import { getSubscription } from './service.ts'

export { listEvents } from '../../delivery/outbox/outbox.ts'

/** Filters for deliveries. All of them must match. */
interface DeliveryQuery extends Omit<queries.DeliveryFilter, 'id'> {
  /** The `X-Service-Delivery` header. */
  readonly uuid?: string | undefined
}

export async function listDeliveries(
  app: App,
  { uuid, ...filter }: DeliveryQuery,
  page: Page = defaultPage,
): Promise<FoundRows<Delivery>> {
  const id = uuid === undefined ? undefined : await findId(app, filter.workspaceId, uuid.toLowerCase())
  if (uuid !== undefined && id === undefined) return []
  return mapRows(await queries.listDeliveries(app.store, { ...filter, id }, page), ({ sort_key: _, ...row }) =>
    toDelivery(app, row),
  )
}

const keysPerBatch = 1000
const maxBatches = 10

/** A delivery's UUID is computed, not stored, so this computes the UUIDs of the newest deliveries until one matches. */
async function findId(app: App, workspaceId: number, uuid: string): Promise<number | undefined> {
  let before: number | undefined
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const rows = await queries.listKeys(app.db, workspaceId, { limit: keysPerBatch, before })
    const match = rows.find(({ key, subscription_id }) => deliveryId(key, subscription_id) === uuid)
    if (match !== undefined) return match.id
    if (rows.length < keysPerBatch) return undefined
    before = rows.at(-1)?.id
  }
  return undefined
}

export async function getDelivery(app: App, { workspaceId, id }: RowRef): Promise<DeliveryWithBody> {
  const row = await queries.findDelivery(app.db, workspaceId, id)
  if (row === undefined) throw notFound('delivery', id)
  return { ...toDelivery(app, row), body: row.body }
}

/** The attempts of a delivery, newest first. */
export async function listAttempts(app: App, delivery: RowRef): Promise<DeliveryAttempt[]> {
  await getDelivery(app, delivery)
  const rows = await queries.listAttempts(app.db, delivery)
  return rows.map(({ started_at, ...row }) => ({ ...row, started_at: formatInstant(started_at) }))
}

/** Why the unfinished deliveries of a subscription are not sent, if enabling it is not enough. */
const stoppedErrors: ReadonlyMap<string | null, string> = new Map([
  [lostKey, lostKeyError],
  ['deleted', 'It was given up, because its subscription was deleted.'],
])

function toDelivery(
  { clock }: Pick<App, 'clock'>,
  { key, is_test, next_attempt_at, created_at, finished_at, disabled_reason, ...row }: queries.DeliveryRow,
): Delivery {
  return {
    ...row,
    error: (finished_at === null && stoppedErrors.get(disabled_reason)) || row.error,
    uuid: deliveryId(key, row.subscription_id),
    is_test: toBoolean(is_test),
    next_attempt_at: row.state === 'pending' ? formatInstant(clock.toWall(next_attempt_at)) : null,
    created_at: formatInstant(created_at),
    finished_at: formatInstantOrNull(finished_at),
  }
}

/** Successful and failed deliveries for each part of a period. */
export async function countDeliveries({ db }: App, period: queries.DeliveryPeriod & { readonly parts: number }) {
  const rows = await queries.countByPart(db, period)
  const sums = (outcome: 'succeeded' | 'failed') => {
    const counts = Array.from({ length: period.parts }, () => 0)
    for (const row of rows) counts[row.part] = (counts[row.part] ?? 0) + row[outcome]
    return counts
  }
  return { succeeded: sums('succeeded'), failed: sums('failed') }
}

const hiddenValue = '<hidden>'

/** A delivery as a curl command with a valid signature, to try a receiver by hand. */
export async function getCurl(app: App, delivery: RowRef): Promise<{ readonly curl: string }> {
  return { curl: toCurl(await getRequest(app, delivery)) }
}

/**
 * The request for a delivery as it would be sent now, with a valid signature. Values of custom headers
 * are never revealed.
 */
export async function getRequest(app: App, { workspaceId, id }: RowRef): Promise<DeliveryRequest> {
  const { subscription_id: subscriptionId } = await getDelivery(app, { workspaceId, id })
  const subscription = { workspaceId, id: subscriptionId }
  const { url, header_names } = await getSubscription(app, subscription)
  await requireReadable(app, subscription)
  const request = await previewRequest(app, { workspaceId, id, subscriptionId })
  if (request === undefined || url === null) throw notFound('delivery', id)
  const headers = toPairs(request.headers).map(([name, value]): [string, string] => [
    name,
    header_names.includes(name) ? hiddenValue : value,
  ])
  return { url, headers, body: Buffer.from(request.body).toString() }
}

/** Alternating names and values, in wire order. */
const toPairs = (flat: readonly string[]) =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : []))

/**
 * A POSIX shell command that sends exactly these bytes. Linux limits an argument of a program to 128 KiB. `printf` is a
 * part of the shell, so its arguments have no limit.
 */
export const toCurl = ({ url, headers, body }: DeliveryRequest): string =>
  [
    `printf %s ${quoted(body)} |\n  curl -sS -i ${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    '--data-binary @-',
  ].join(' \\\n  ')

/** A POSIX shell interprets nothing within single quotes, but a single quote itself must be outside them. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
