import type { Generated } from 'kysely'

export interface TicketsTable {
  id: Generated<number>
  workspace_id: number
  /** Numbered per workspace without gaps; formatted as `TKT-00001`. */
  number: number
  title: string
  description: string | null
  status: string
  priority: string
  category: string | null
  assigned_to: number | null
  created_by: number | null
  /** The kind of an `Actor` that is not a person. */
  origin: string | null
  project_id: number | null
  /** `YYYY-MM-DD` */
  due_at: string | null
  /** JSON list of strings. */
  tags: string
  resolved_at: number | null
  /** From the SLA policy of the priority; null if there is none. */
  first_response_due_at: Generated<number | null>
  resolution_due_at: Generated<number | null>
  /** When the ticket first left `open` or got an assignee. */
  first_responded_at: Generated<number | null>
  first_response_breached_at: Generated<number | null>
  resolution_breached_at: Generated<number | null>
  created_at: number
  updated_at: number
}

/** The tickets of a workspace that were resolved in an hour (UTC) and are resolved. */
export interface ResolvedCountsTable {
  workspace_id: number
  /** Hours since 1970. */
  hour: number
  tickets: number
}

export interface TicketCountersTable {
  workspace_id: number
  last_number: number
}

/** On PostgreSQL, the search terms of a ticket. On SQLite, this table is an FTS5 index. */
export interface TicketSearchTable {
  workspace_id: number
  ticket_id: number
  search: string
}

/** Changes to tickets after their creation. */
export interface TicketHistoryTable {
  id: Generated<number>
  workspace_id: number
  ticket_id: number
  /** `changed`, `resolved` or `reopened`. */
  kind: string
  /** JSON: old and new value of each field. */
  changes: string
  /** The kind of an `Actor`; null if unknown. */
  actor_kind: string | null
  actor_id: number | null
  at: number
}
