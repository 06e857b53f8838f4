import type { App } from '../../context.ts'
import { notFound } from '../../core/errors.ts'
import * as post from '../../delivery/outbox/outbox.ts'
import { getDelivery } from './delivery-log-service.ts'
import { requireReadable } from './lost-key-service.ts'
import { getSubscription } from './service.ts'

const hidden = '<hidden>'

/** A delivery as a line of curl with a valid signature, to try a receiver by hand. */
export async function curlOf(app: App, at: { workspaceId: number; id: number }): Promise<{ readonly curl: string }> {
  return { curl: toCurl(await requestOf(app, at)) }
}

/**
 * The request that would be made for a delivery now, with a valid signature. The values of the subscription's own headers
 * are not shown, here as anywhere.
 */
export async function requestOf(app: App, at: { workspaceId: number; id: number }): Promise<WireRequest> {
  const { subscription_id: subscriptionId } = await getDelivery(app, at)
  const subscription = { workspaceId: at.workspaceId, id: subscriptionId }
  const { url, header_names } = await getSubscription(app, subscription)
  await requireReadable(app, subscription)
  const request = await post.previewRequest(app, { ...at, subscriptionId })
  if (request === undefined || url === null) throw notFound('delivery', at.id)
  const headers = pairsOf(request.headers).map(
    ([name, value]) => [name, header_names.includes(name) ? hidden : value] as const,
  )
  return { url, headers, body: Buffer.from(request.body).toString() }
}

/** Names and values in turn, as they are sent. */
const pairsOf = (flat: readonly string[]) =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : []))

/** A request as it goes over the wire. */
interface WireRequest {
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** A line for a POSIX shell that makes the request: the same bytes, whatever stands in them. */
export const toCurl = ({ url, headers, body }: WireRequest): string =>
  [
    `curl -sS -i ${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ')

/** Between single quotes a shell changes nothing; a single quote itself has to stand outside of them. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
