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
  /** JSON objects. */
  before_json: string | null
  after_json: string | null
  request_id: string
}

/** One row: triggers let entries go that are older. */
export interface AuditRetentionTable {
  removable_before: number
}
