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
  /** An `Actor` that is not a person. */
  origin: string | null
  origin_id: number | null
  /** Midnight UTC of the due date. */
  due_at: number | null
  /** JSON list of strings. */
  tags: string
  created_at: number
  updated_at: number
}
