import type { DeliveryHeaders } from '../sanitise/headers.ts'

/** Several secrets are accepted at once: during a change of secrets, or a GitLab token beside its signing key. */
export type Verification = {
  readonly headers: DeliveryHeaders
  /** The bytes as they came over the wire, before any decoding. */
  readonly body: Uint8Array
  readonly secrets: readonly string[]
  readonly nowMs: number
}

/** Every secret is tried, whatever the first one says, so that time does not tell which one matched. */
export const anySecret = (secrets: readonly string[], matches: (secret: string) => boolean): boolean =>
  secrets.filter(matches).length > 0
