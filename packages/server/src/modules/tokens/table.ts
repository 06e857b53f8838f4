import type { Generated } from 'kysely'

export interface ApiTokensTable {
  id: Generated<number>
  workspace_id: number
  /** Who made the token; what it creates is created by this user. */
  user_id: number
  name: string
  /** Lower-case hex of SHA-256; the token itself is never stored. */
  token_hash: string
  /** The last characters, so that people can tell their tokens apart. */
  hint: string
  /** A JSON list. */
  scopes: string
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  created_at: number
}

/** How often a caller has asked in the window that ends then; see `queries.ts`. */
export interface RateLimitWindowsTable {
  /** `token:7`, or `address:` and an address or a network where no valid token is used. */
  key: string
  hits: number
  /** By the database's clock. */
  ends_at: number
}
