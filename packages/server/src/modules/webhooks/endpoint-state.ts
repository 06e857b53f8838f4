import type { Delivery } from '@service/contract/admin/deliveries'
import type { Subscription } from '@service/contract/admin/webhooks'
import type { Tone } from '../../ui/components/badge.tsx'

/** A state in a word, and how it is shown. */
export interface Told {
  readonly tone: Tone
  readonly word: string
}

/** How an endpoint is. */
export function endpointState(endpoint: Subscription): Told {
  if (!endpoint.enabled) return endpoint.disabled_reason === 'manual' ? off : switchedOff
  if (endpoint.failing_since !== null) return { tone: 'bad', word: 'Failing' }
  if (endpoint.last_success_at === null) return { tone: 'info', word: 'Nothing sent yet' }
  return { tone: 'ok', word: 'Active' }
}

const off: Told = { tone: 'mute', word: 'Off' }
const switchedOff: Told = { tone: 'bad', word: 'Switched off' }

/** How a delivery is. */
export function deliveryState({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): Told {
  if (state === 'succeeded') return { tone: 'ok', word: 'Delivered' }
  if (state === 'failed') return { tone: 'bad', word: 'Failed' }
  if (state === 'held') return { tone: 'mute', word: 'Held' }
  return attempts === 0 ? { tone: 'info', word: 'Waiting' } : { tone: 'warn', word: 'Retrying' }
}

/** What an endpoint is called: what its people wrote, or the host that it is on. */
export function endpointName({ description, url, id }: Pick<Subscription, 'description' | 'url' | 'id'>): string {
  if (description !== null && description !== '') return description
  return url !== null && URL.canParse(url) ? new URL(url).host : `Endpoint ${id}`
}
