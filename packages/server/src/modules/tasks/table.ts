import type { Generated } from 'kysely'

export interface TasksTable {
  id: Generated<number>
  workspace_id: number
  title: string
  description: string | null
  status: string
  priority: string
  project_id: number | null
  ticket_id: number | null
  parent_id: number | null
  assigned_to: number | null
  created_by: number | null
  /** Midnight UTC of the given day. */
  due_at: number | null
  /** JSON: a list of texts. */
  tags: string
  created_at: number
  updated_at: number
}
