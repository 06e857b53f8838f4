/** The result of a claim: `claimed` by this caller, `busy` in another handler, or `done`. */
export type ClaimResult = 'claimed' | 'busy' | 'done'

/** One attempt to handle one event. The token distinguishes it from a later attempt that took over the lease. */
export interface Claim {
  readonly key: string
  readonly token: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Stores which events were handled. Each method must be atomic across all processes that share the store. */
export interface DedupeStore {
  /** Claims the key for `leaseMs`, unless it is already claimed or done. Any other result is refused. */
  claim(claim: Claim & { readonly leaseMs: number }): ClaimResult | Promise<ClaimResult>
  /** Marks the key as done for `ttlMs`, if the token still holds it. */
  commit(claim: Claim & { readonly ttlMs: number }): unknown
  /** Releases the key, if the token still holds it. */
  release(claim: Claim): unknown
}
