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
  /** JSON: a list of texts. */
  tags: string
  resolved_at: number | null
  /** From the policy of the priority; null where there is none. */
  first_response_due_at: Generated<number | null>
  resolution_due_at: Generated<number | null>
  /** When the ticket first left `open` or got an assignee. */
  first_responded_at: Generated<number | null>
  first_response_breached_at: Generated<number | null>
  resolution_breached_at: Generated<number | null>
  created_at: number
  updated_at: number
}

export interface TicketCountersTable {
  workspace_id: number
  last_number: number
}

/** The terms that lists find a ticket by, on PostgreSQL. On SQLite the table of this name is an FTS5 index of them. */
export interface TicketSearchTable {
  workspace_id: number
  ticket_id: number
  search: string
}

/** What happened to tickets after their creation. */
export interface TicketHistoryTable {
  id: Generated<number>
  workspace_id: number
  ticket_id: number
  /** `changed`, `resolved` or `reopened`. */
  kind: string
  /** JSON: from and to of each field. */
  changes: string
  /** `user`, `rule` or `error_report`, where it is known. */
  actor_kind: string | null
  actor_id: number | null
  at: number
}
