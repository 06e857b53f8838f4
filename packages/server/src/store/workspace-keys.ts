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

/** Operations that run across all workspaces: why, and how often. */
export const crossings = {
  authentication: {
    reason: 'The text of an old token, or of one that a seed fixes, does not name its workspace.',
    rate: 'For each request with such a token; a new token avoids it.',
  },
  delivery: {
    reason: 'A worker takes due deliveries of any workspace.',
    rate: 'In each iteration of a worker: every 5 s when idle, up to 200 times a second under load.',
  },
  encryption: { reason: 'One key encrypts all secrets of the database.', rate: 'During a key rotation.' },
  figures: { reason: 'Metrics and sizes cover the instance.', rate: 'For each scrape of /metrics.' },
  membership: {
    reason: 'Listing the workspaces of a user searches all memberships.',
    rate: 'When a person signs in, reads or changes their account, or opens the dashboard.',
  },
  migration: { reason: 'A migration may change the rows of all workspaces.', rate: 'Once for each database.' },
  retention: { reason: 'The oldest rows of any workspace are deleted first.', rate: 'Every minute to every day.' },
  'search index': { reason: 'Tickets are indexed in id order across workspaces.', rate: 'When the index is rebuilt.' },
  seeds: { reason: 'Tests refer to rows by id, and ids are numbered across the whole table.', rate: 'In tests.' },
  'service levels': { reason: 'SLA breaches are recorded in any workspace.', rate: 'When an SLA target is due.' },
} as const

/** Marks a statement that spans all workspaces. The tests reject any other statement without a workspace. */
export const acrossWorkspaces = (reason: keyof typeof crossings): RawBuilder<never> =>
  sql.raw(`/* across workspaces: ${reason} */`)
