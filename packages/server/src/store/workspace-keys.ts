import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

// A workspace reads and writes only its own rows. Each of its tables has `workspace_id`, on PostgreSQL also in the
// primary key and the references, and every statement filters by it. So the tables can be sharded by that column. The
// tests check the schema and every statement they run; these two lists are the exceptions.

export interface RowRef {
  readonly workspaceId: number
  readonly id: number
}

/** Tables of the whole instance, with the reason. */
export const instanceTables = {
  audit_log: 'It also covers the instance, and outlives its workspaces.',
  audit_retention: 'One row for the whole audit log.',
  delivery_schedule: 'One row for the clock of the process.',
  encryption_key: 'One key encrypts all secrets.',
  health_checks: 'One row for the database.',
  migrations: 'All workspaces share the schema.',
  one_time_links: 'The owner of a link is unknown until it is used.',
  operation_marks: 'Backups cover the whole database.',
  personal_tokens: 'Their owner may belong to several workspaces.',
  rate_limit_windows: 'IP addresses are counted too, and do not belong to a workspace.',
  sessions: 'Their owner may belong to several workspaces.',
  users: 'A person may belong to several workspaces.',
  workspaces: 'Its id is the workspace id in the other tables.',
} as const satisfies Partial<Record<keyof Database | 'delivery_schedule' | 'health_checks' | 'migrations', string>>

/** Operations that run across all workspaces, with the reason. */
export const crossings = {
  authentication: 'A request has only a token, and its row names the workspace.',
  delivery: 'A worker takes due deliveries of any workspace.',
  encryption: 'One key encrypts all secrets of the database.',
  figures: 'Metrics and sizes cover the instance.',
  membership: 'Listing the workspaces of a user searches all memberships.',
  retention: 'The oldest rows of any workspace are deleted first.',
  'search index': 'Tickets are indexed in id order across workspaces.',
  seeds: 'Tests refer to rows by id, and ids are numbered across the whole table.',
  'service levels': 'SLA breaches are recorded in any workspace.',
} as const

/** Marks a statement that spans all workspaces. The tests reject any other statement without a workspace. */
export const acrossWorkspaces = (reason: keyof typeof crossings): RawBuilder<never> =>
  sql.raw(`/* across workspaces: ${reason} */`)
