import { createHmac, timingSafeEqual } from 'node:crypto'
import { hasHubSignature } from '../sanitize/signature.ts'

// Meta, WhatsApp, LinkedIn, and TikTok cannot send a custom header. They sign the body with the app's secret,
// which an administrator enters here. The first three also verify the URL with a challenge on the ping route.

const headers: Readonly<Record<string, string>> = {
  facebook: 'x-hub-signature-256',
  whatsapp: 'x-hub-signature-256',
  linkedin: 'x-li-signature',
  tiktok: 'tiktok-signature',
}

export const signsItsDeliveries = (source: string): boolean => Object.hasOwn(headers, source)

export interface SignedDelivery {
  readonly params: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

type Check = {
  readonly header: string | null
  readonly secret: string
  readonly body: Uint8Array
  readonly nowMs: number
}

/** Whether the platform's signature is present and valid. */
export function hasPlatformSignature(delivery: SignedDelivery, secret: string | undefined, nowMs: number): boolean {
  const source = delivery.params['source'] ?? ''
  const header = delivery.headers[headers[source] ?? ''] ?? null
  if (secret === undefined || secret === '' || !beginsAsJson(delivery.body)) return false
  const check = { header, secret, body: delivery.body, nowMs }
  if (source === 'tiktok') return hasTimedSignature(check)
  return source === 'linkedin' ? hasHexSignature(check) : hasHubSignature(check)
}

/**
 * These platforms send only JSON objects. A challenge signed on the ping, which anyone can request, never
 * starts like one, so its signature authenticates no delivery.
 */
const beginsAsJson = (body: Uint8Array): boolean => body[0] === 0x7b

const isHmac = (hex: string, { secret }: Check, ...signed: readonly (string | Uint8Array)[]): boolean => {
  const hmac = createHmac('sha256', secret)
  for (const part of signed) hmac.update(part)
  return timingSafeEqual(Buffer.from(hex, 'hex'), hmac.digest())
}

/** 64 lower-case hex digits, with or without LinkedIn's `hmacsha256=` in front. */
function hasHexSignature(check: Check): boolean {
  const hex = /^(?:hmacsha256=)?([0-9a-f]{64})$/.exec(check.header ?? '')?.[1]
  return hex !== undefined && isHmac(hex, check, check.body)
}

/**
 * TikTok retries a delivery for 72 hours and does not document a new signature per retry, so a signature is valid for
 * as long. The lead's id identifies retries. Clocks may differ by five minutes.
 */
const oldestMs = 72 * 60 * 60 * 1000
const earliestMs = 5 * 60 * 1000

const isRecent = (seconds: string, nowMs: number) => {
  const ageMs = nowMs - Number(seconds) * 1000
  return ageMs <= oldestMs + earliestMs && ageMs >= -earliestMs
}

/** `t=1633174587,s=<hex>`: the HMAC of the time, a dot and the body. */
function hasTimedSignature(check: Check): boolean {
  const [, seconds, hex] = /^t=(\d{1,12}), ?s=([0-9a-f]{64})$/.exec(check.header ?? '') ?? []
  if (seconds === undefined || hex === undefined || !isRecent(seconds, check.nowMs)) return false
  return isHmac(hex, check, `${seconds}.`, check.body)
}
