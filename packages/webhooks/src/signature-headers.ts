import { findHeader } from './header.ts'
import type { HeaderSource } from './options.ts'
import { readSignatures } from './signatures.ts'
import { refuse } from './webhook-error.ts'

/** The signature headers of a delivery, before the MAC is checked. */
export interface SignatureHeaders {
  readonly digests: readonly string[]
  /** The signed text before the body: empty, or `id.timestamp.` with the Standard Webhooks headers. */
  readonly prefix: string
  /** Only with the Standard Webhooks headers. */
  readonly id?: string
  readonly sentAtSeconds?: number
}

/** Prefers the Standard Webhooks headers, because only they sign the time. Falls back to `X-Service-Signature`. */
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
  // `parseInt` would ignore trailing characters.
  return id && /^\d{1,13}$/.test(timestamp)
    ? { digests, prefix: `${id}.${timestamp}.`, id, sentAtSeconds: Number(timestamp) }
    : refuse('malformed_headers', { hint: 'webhook-id or webhook-timestamp' })
}
