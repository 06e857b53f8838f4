import type { Generated } from 'kysely'

export interface UsersTable {
  id: Generated<number>
  name: string
  /** Trimmed and lower-cased: one person, one user. */
  email: string
  created_at: number
}

export interface MembersTable {
  workspace_id: number
  user_id: number
  role: string
  created_at: number
}
