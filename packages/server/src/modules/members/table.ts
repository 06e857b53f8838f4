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

/** Named filters of dashboard lists that everyone in the workspace sees. */
export interface SharedViewsTable {
  id: Generated<number>
  workspace_id: number
  list: string
  name: string
  /** The query string of the list's page. */
  query: string
  /** Null if a program shared it. */
  shared_by: number | null
  created_at: number
}
