import type { DeliveryHeaders } from '../sanitize/headers.ts'

/** Several secrets may be valid at once: during a rotation, or a GitLab token and its signing key. */
export type Verification = {
  readonly headers: DeliveryHeaders
  /** The raw bytes, before any decoding. */
  readonly body: Uint8Array
  readonly secrets: readonly string[]
  readonly nowMs: number
}

/** Tries every secret, so that timing does not reveal which one matched. */
export const anySecret = (secrets: readonly string[], matches: (secret: string) => boolean): boolean =>
  secrets.filter(matches).length > 0
