import type { Generated } from 'kysely'

/** One row per delivery: the same delivery id never counts twice. */
export interface GitDeliveriesTable {
  id: Generated<number>
  workspace_id: number
  provider: string
  delivery_id: string
  event: string
  received_at: number
}

/** What happened in a repository, one sentence each. All text is plain and is escaped where it is shown. */
export interface ActivitiesTable {
  id: Generated<number>
  workspace_id: number
  /** Null when the delivery has grown old: then it may come again. */
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

/** One ticket per issue, whatever the order or number of deliveries. */
export interface GitIssueTicketsTable {
  workspace_id: number
  provider: string
  repository_key: string
  issue_key: string
  /** As people know them. */
  repository: string | null
  issue: number | null
  url: string | null
  ticket_id: number | null
}
