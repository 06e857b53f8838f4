import type { Generated } from 'kysely'

export interface UsersTable {
  id: Generated<number>
  name: string
  /** Trimmed and lower-cased: one person, one user. */
  email: string
  /** Argon2id hash as a PHC string; null if the person cannot sign in. */
  password_hash: Generated<string | null>
  is_instance_admin: Generated<number>
  /** Set while the person is disabled. Their sessions and tokens do not work. */
  disabled_at: Generated<number | null>
  hides_first_steps: Generated<number>
  created_at: number
}

export interface SessionsTable {
  id: Generated<number>
  user_id: number
  /** Lower-case hex of SHA-256; the token itself is never stored. */
  token_hash: string
  /** The client's IP address. */
  address: string
  user_agent: string | null
  created_at: number
  /** To the minute. */
  last_seen_at: number
  /** Absolute expiry. Idle sessions expire earlier. */
  expires_at: number
}

export interface PersonalTokensTable {
  id: Generated<number>
  user_id: number
  name: string
  token_hash: string
  /** The last characters, so that people can identify their tokens. */
  hint: string
  expires_at: number
  revoked_at: number | null
  last_used_at: number | null
  created_at: number
}

export interface OneTimeLinksTable {
  code_hash: string
  /** `setup`, `password`, or `sign_in`. */
  purpose: string
  /** The person whose password is set, or who is signed in. */
  user_id: number | null
  /** The person who created it; null for the admin token, the command line, and the server itself. */
  created_by: Generated<number | null>
  /** The workspace that the link invites to. */
  invited_to: Generated<number | null>
  expires_at: number
}
