import type { Generated } from 'kysely'

/** A workspace's display name for a person, if it differs from the person's own name. */
export interface MemberNamesTable {
  workspace_id: number
  user_id: number
  name: string
}

export interface MembersTable {
  workspace_id: number
  user_id: number
  role: string
  created_at: number
  /** JSON list of named filters. */
  saved_views: Generated<string>
}
