/** What a claim finds: nothing, so that it is now ours; somebody at work; or the work done. */
export type ClaimResult = 'claimed' | 'busy' | 'done'

/** One attempt to handle one event. The token tells it from a later attempt that took over after the lease. */
export interface Claim {
  readonly key: string
  readonly token: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Where it is kept what was handled. Each method must be atomic over all processes that share the store. */
export interface DedupeStore {
  /** Takes the key for `leaseMs`, unless it is taken or done. */
  claim(claim: Claim & { readonly leaseMs: number }): ClaimResult | Promise<ClaimResult>
  /** Keeps the key as done for `ttlMs`, if the token still has it. */
  commit(claim: Claim & { readonly ttlMs: number }): unknown
  /** Gives the key back, if the token still has it. */
  release(claim: Claim): unknown
}
