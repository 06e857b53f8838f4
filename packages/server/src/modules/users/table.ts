import type { Generated } from 'kysely'

export interface UsersTable {
  id: Generated<number>
  name: string
  /** Trimmed and lower-cased: one person, one user. */
  email: string
  /** Argon2id as a PHC string; null for who cannot sign in. */
  password_hash: Generated<string | null>
  is_instance_admin: Generated<number>
  /** Since then nothing of theirs works. */
  disabled_at: Generated<number | null>
  created_at: number
}

export interface SessionsTable {
  id: Generated<number>
  user_id: number
  /** Lower-case hex of SHA-256; the token itself is never stored. */
  token_hash: string
  /** Where the sign-in came from. */
  address: string
  user_agent: string | null
  created_at: number
  /** To the minute. */
  last_seen_at: number
  /** The latest end; one that is not used ends before. */
  expires_at: number
}

export interface PersonalTokensTable {
  id: Generated<number>
  user_id: number
  name: string
  token_hash: string
  /** The last characters, so that people can tell their tokens apart. */
  hint: string
  expires_at: number
  revoked_at: number | null
  last_used_at: number | null
  created_at: number
}

export interface OneTimeLinksTable {
  code_hash: string
  /** `setup`, `password` or `sign_in`. */
  purpose: string
  /** Whose password, or who is signed in. */
  user_id: number | null
  expires_at: number
}
