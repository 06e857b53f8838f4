import { hash } from 'node:crypto'

/**
 * The id of an event's delivery to a subscription: a UUID made of both, so it is the same on every retry, resend and
 * replay without being stored ten thousand times per event. Version 8 (RFC 9562) is for ids that are computed.
 */
export function deliveryId(eventKey: string, subscriptionId: number): string {
  const hex = hash('sha256', `${eventKey}:${subscriptionId}`)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}
