export interface MembersTable {
  workspace_id: number
  user_id: number
  role: string
  created_at: number
}
