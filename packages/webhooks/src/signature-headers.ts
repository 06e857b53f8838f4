import { findHeader } from './header.ts'
import type { HeaderSource } from './options.ts'
import { readSignatures } from './signatures.ts'
import { refuse } from './webhook-error.ts'

/** What a delivery says of itself, to be proven by its MAC. */
export interface SignatureHeaders {
  readonly digests: readonly string[]
  /** What is signed before the body: nothing, or `id.timestamp.` with the Standard Webhooks headers. */
  readonly prefix: string
  /** Only with the Standard Webhooks headers. */
  readonly id?: string
  readonly sentAtSeconds?: number
}

/** The Standard Webhooks headers come first, as only they have a signed time. Without them it is `X-Service-Signature`. */
export function readSignatureHeaders(headers: HeaderSource, requireTimestamp: boolean | undefined): SignatureHeaders {
  const standard = findHeader(headers, 'webhook-signature')
  const digests = readSignatures(
    standard ??
      findHeader(headers, 'x-service-signature') ??
      refuse('missing_signature', { hint: 'no X-Service-Signature' }),
  )
  if (standard === undefined) {
    return requireTimestamp ? refuse('missing_timestamp', { hint: 'no webhook-signature' }) : { digests, prefix: '' }
  }
  const id = findHeader(headers, 'webhook-id')
  const timestamp = findHeader(headers, 'webhook-timestamp') ?? ''
  // `parseInt` would take the digits and ignore what follows them.
  return id && /^\d{1,13}$/.test(timestamp)
    ? { digests, prefix: `${id}.${timestamp}.`, id, sentAtSeconds: Number(timestamp) }
    : refuse('malformed_headers', { hint: 'webhook-id or webhook-timestamp' })
}
