import type { Generated } from 'kysely'

export interface AuditLogTable {
  id: Generated<number>
  at: number
  actor: string
  actor_name: string | null
  via: string | null
  address: string
  operation: string
  workspace_id: number | null
  resource: string | null
  /** The name or title of the resource at that time. */
  resource_name: string | null
  /** JSON object. */
  before_json: string | null
  after_json: string | null
  request_id: string
}

/** A single row. The triggers only allow deleting audit entries older than its mark. */
export interface AuditRetentionTable {
  removable_before: number
}
