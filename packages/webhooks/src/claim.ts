import { findHeader } from './header.ts'
import type { HeaderSource } from './options.ts'
import { readSignatures } from './signatures.ts'
import { refuse } from './webhook-error.ts'

/** What a delivery says of itself, to be proven by its MAC. */
export interface Claim {
  readonly signatures: readonly string[]
  /** What is signed before the body: nothing, or `id.timestamp.` with the Standard Webhooks headers. */
  readonly prefix: string
  readonly standard?: { readonly id: string; readonly sentAtSeconds: number }
}

/** The Standard Webhooks headers come first, as only they have a signed time. Without them it is `X-Service-Signature`. */
export function readClaim(headers: HeaderSource, requireTimestamp: boolean | undefined): Claim {
  const standard = findHeader(headers, 'webhook-signature')
  if (standard !== undefined) return readStandardClaim(headers, standard)
  const plain = findHeader(headers, 'x-service-signature')
  if (plain === undefined) {
    return refuse('missing_signature', 401, 'There is no X-Service-Signature. Did a proxy remove it, or did somebody else call?')
  }
  if (requireTimestamp) {
    refuse('missing_timestamp', 401, 'Switch the Standard Webhooks headers on for this subscription.')
  }
  return { signatures: readSignatures(plain), prefix: '' }
}

function readStandardClaim(headers: HeaderSource, signature: string): Claim {
  const id = findHeader(headers, 'webhook-id')
  const timestamp = findHeader(headers, 'webhook-timestamp')
  if (!id || !timestamp) {
    return refuse('missing_header', 401, 'webhook-signature needs webhook-id and webhook-timestamp beside it.')
  }
  // `parseInt` would take the digits and ignore what follows them.
  if (!/^\d{1,13}$/.test(timestamp)) {
    refuse('malformed_timestamp', 401, 'webhook-timestamp is not a number of seconds.')
  }
  return {
    signatures: readSignatures(signature),
    prefix: `${id}.${timestamp}.`,
    standard: { id, sentAtSeconds: Number(timestamp) },
  }
}

/** A signature stays right for ever; the age is what keeps a recorded delivery from being played again. */
export function requireAge(sentAtSeconds: number, toleranceSeconds: number, nowMs: number): void {
  const ageSeconds = nowMs / 1000 - sentAtSeconds
  if (ageSeconds > toleranceSeconds) refuse('timestamp_old', 401, 'Too old. Is the clock of this machine right?')
  if (-ageSeconds > toleranceSeconds) refuse('timestamp_new', 401, 'From the future. Is the clock of this machine right?')
}

/** Without an upper limit the check would be off, and nobody would notice. */
export function requireTolerance(toleranceSeconds = 300): number {
  if (toleranceSeconds > 0 && toleranceSeconds < Number.POSITIVE_INFINITY) return toleranceSeconds
  throw new TypeError('toleranceSeconds must be a number above 0. For old deliveries in tests, pass `now`.')
}
