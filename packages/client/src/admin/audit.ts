import type { Call } from '../call.ts'
import type { CallOptions } from '../call-options.ts'
import type { InWorkspace, Page, PageQuery } from './page.ts'

/** One change that administration made. Entries are never changed, and removed by age only. */
export interface AuditEntry {
  id: number
  at: string
  /** `person:7`, `api_token:3`, `instance_token`, `in_process` or `command_line`. */
  actor: string
  /** As the person or token was called then. */
  actor_name: string | null
  /** What the person showed: `session:12` or `personal_token:4`. */
  via: string | null
  address: string
  /** e.g. `members.update`. */
  operation: string
  workspace_id: number | null
  /** What it was done to, as the path or the answer names it. */
  resource: string | null
  /** Without secrets; of a change only the fields that differ. */
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  request_id: string
}

export interface AuditQuery extends PageQuery {
  actor?: string | undefined
  operation?: string | undefined
  /** An instant with an offset. */
  since?: string | undefined
  /** An instant with an offset; entries before it. */
  until?: string | undefined
}

/** Who changed what. */
export interface AuditLog {
  /** Newest first. */
  list(at: InWorkspace, query?: AuditQuery, options?: CallOptions): Call<Page<AuditEntry>>
  /** Of all workspaces, and of none. Only for who administers the instance. */
  listAll(query?: AuditQuery, options?: CallOptions): Call<Page<AuditEntry>>
}
