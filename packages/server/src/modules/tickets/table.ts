import type { Generated } from 'kysely'

export interface TicketsTable {
  id: Generated<number>
  workspace_id: number
  /** Counted per workspace without gaps; on the wire `TKT-00001`. */
  number: number
  title: string
  description: string | null
  status: string
  priority: string
  category: string | null
  assigned_to: number | null
  created_by: number | null
  project_id: number | null
  /** `YYYY-MM-DD` */
  due_at: string | null
  resolved_at: number | null
  created_at: number
  updated_at: number
}

export interface TicketCountersTable {
  workspace_id: number
  last_number: number
}

export interface TicketTagsTable {
  ticket_id: number
  position: number
  tag: string
}
