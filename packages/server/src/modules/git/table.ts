import type { Generated } from 'kysely'

/** One row per delivery id, for deduplication. */
export interface GitDeliveriesTable {
  id: Generated<number>
  workspace_id: number
  provider: string
  delivery_id: string
  event: string
  received_at: number
}

/** Repository activity, one plain-text sentence each. Escape it when rendering. */
export interface ActivitiesTable {
  id: Generated<number>
  workspace_id: number
  /** Null after the delivery record has expired. A later duplicate is then recorded again. */
  delivery_id: number | null
  provider: string
  event: string
  kind: string
  title: string
  ref: string | null
  url: string | null
  commit_sha: string | null
  actor: string | null
  actor_url: string | null
  repository: string | null
  repository_url: string | null
  occurred_at: number | null
  created_at: number
}

/** One ticket per issue, regardless of the order or number of deliveries. */
export interface GitIssueTicketsTable {
  workspace_id: number
  provider: string
  repository_key: string
  issue_key: string
  /** The full repository name. */
  repository: string | null
  issue: number | null
  url: string | null
  ticket_id: number | null
}
