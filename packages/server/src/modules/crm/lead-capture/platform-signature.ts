import { createHmac, timingSafeEqual } from 'node:crypto'
import { hasHubSignature } from '../../../untrusted/signature.ts'

// Meta, WhatsApp and LinkedIn cannot send a header of our choosing. They sign the body with the app's secret, which an
// administrator enters here, and they prove the address with a challenge on the ping.

const headers: Readonly<Record<string, string>> = {
  facebook: 'x-hub-signature-256',
  whatsapp: 'x-hub-signature-256',
  linkedin: 'x-li-signature',
}

export const signsItsDeliveries = (source: string): boolean => Object.hasOwn(headers, source)

export interface SignedDelivery {
  readonly params: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Whether the platform's own signature is there and right. */
export function hasPlatformSignature(delivery: SignedDelivery, secret: string | undefined): boolean {
  const source = delivery.params['source'] ?? ''
  const header = delivery.headers[headers[source] ?? ''] ?? null
  if (secret === undefined) return false
  if (source !== 'linkedin') return hasHubSignature({ header, secret, body: delivery.body })
  return hasHexSignature(header, secret, delivery.body)
}

/** 64 lower-case hex digits, with or without LinkedIn's `hmacsha256=` in front. */
function hasHexSignature(header: string | null, secret: string, body: Uint8Array): boolean {
  const hex = /^(?:hmacsha256=)?([0-9a-f]{64})$/.exec(header ?? '')?.[1]
  if (hex === undefined || secret === '') return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest())
}
