import type { Generated } from 'kysely'

export interface ApiTokensTable {
  id: Generated<number>
  workspace_id: number
  /** The user that the token acts as. */
  user_id: number
  name: string
  /** Lower-case hex of SHA-256; the token itself is never stored. */
  token_hash: string
  /** The last characters, so that people can identify their tokens. */
  hint: string
  /** JSON list. */
  scopes: string
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  created_at: number
  /** The person who created it for another person; it ends with their role. */
  created_by: number | null
}

/** The number of requests in a rate window and the end of the window; see `queries.ts`. */
export interface RateLimitWindowsTable {
  /** `token:7`, or `address:` plus an address or network for requests without a valid token. */
  key: string
  hits: number
  /** By the database clock. */
  ends_at: number
}
