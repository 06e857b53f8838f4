import type { Delivery } from '@service/contract/admin/deliveries'
import type { Subscription } from '@service/contract/admin/webhooks'
import type { SignatureEncoding } from '../../delivery/queues/sign-webhook.ts'
import type { Tone } from '../../ui/components/badge.tsx'
import { duration } from '../../ui/format.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'

/** The text and color of a state. */
interface StateLabel {
  readonly tone: Tone
  readonly word: string
}

/** The state of an endpoint. */
export function endpointState(endpoint: Subscription): StateLabel {
  if (!endpoint.enabled) return endpoint.disabled_reason === 'manual' ? off : switchedOff
  if (endpoint.failing_since !== null) return { tone: 'bad', word: 'Failing' }
  if (endpoint.last_success_at === null) return { tone: 'info', word: 'Nothing sent yet' }
  return { tone: 'ok', word: 'Active' }
}

const off: StateLabel = { tone: 'mute', word: 'Off' }
const switchedOff: StateLabel = { tone: 'bad', word: 'Switched off' }

/** The words for how a signature is encoded. */
export const encodingWords = {
  hex: 'Hexadecimal',
  'sha256=hex': 'sha256= and hexadecimal',
  base64: 'Base64',
} as const satisfies Record<SignatureEncoding, string>

/** The endpoint of a delivery; undefined if it was deleted. */
export async function findEndpoint(
  { admin, workspace }: WorkspacePage,
  { subscription_id: id }: Pick<Delivery, 'subscription_id'>,
): Promise<Subscription | undefined> {
  const endpoint = await admin.webhooks.get({ workspace: workspace.id, id }).safe()
  if (endpoint.ok) return endpoint.data
  if (endpoint.error.code === 'not_found') return undefined
  throw endpoint.error
}

/** The state of a delivery. Without its endpoint, nothing more is sent. */
export function deliveryState(
  { state, attempts }: Pick<Delivery, 'state' | 'attempts'>,
  endpoint: Subscription | undefined,
): StateLabel {
  if (state === 'succeeded') return { tone: 'ok', word: 'Delivered' }
  if (state === 'failed') return { tone: 'bad', word: 'Failed' }
  if (endpoint === undefined) return { tone: 'bad', word: 'Given up' }
  if (state === 'held') return { tone: 'mute', word: 'Held' }
  return attempts === 0 ? { tone: 'info', word: 'Waiting' } : { tone: 'warn', word: 'Retrying' }
}

/** The display name of an endpoint: its description, or else its host. */
export function endpointName({ description, url, id }: Pick<Subscription, 'description' | 'url' | 'id'>): string {
  if (description !== null && description !== '') return description
  return url !== null && URL.canParse(url) ? new URL(url).host : `Endpoint ${id}`
}

const disabledAfterMs = 5 * 24 * 3_600_000

/** When a failing endpoint is switched off at the earliest. It also needs failures on three days. */
export const switchesOffAt = ({ enabled, failing_since }: Subscription): string | undefined =>
  enabled && failing_since !== null ? new Date(Date.parse(failing_since) + disabledAfterMs).toISOString() : undefined

/** `in 10 h` */
export function timeUntilOff(endpoint: Subscription, now: number): string | undefined {
  const at = switchesOffAt(endpoint)
  if (at === undefined) return undefined
  const leftMs = Date.parse(at) - now
  return leftMs < 0 ? 'after further failures' : `in ${duration(leftMs)}`
}
