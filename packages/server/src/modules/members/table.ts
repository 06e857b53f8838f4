/** What a workspace calls a person, where that is not the person's own name. */
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
}
