import type { Generated } from 'kysely'

export interface ProjectsTable {
  id: Generated<number>
  workspace_id: number
  name: string
  status: string
  /** `#rrggbb` */
  color: string | null
  /** `YYYY-MM-DD` */
  starts_at: string | null
  due_at: string | null
  created_at: number
  updated_at: number
}
