import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

// A workspace reads and writes its own rows only: every table of it has `workspace_id`, in the key and in the references
// too where the database is PostgreSQL, and every statement names the workspace. So tables can be spread over machines by
// that column. The tests check the schema, and every statement that they send; these two lists are the exceptions.

export interface RowRef {
  readonly workspaceId: number
  readonly id: number
}

/** Tables of the whole instance, and why. */
export const instanceTables = {
  audit_log: 'It tells of the instance too, and outlives its workspaces.',
  audit_retention: 'One mark, for the whole audit log.',
  delivery_schedule: "One row about the process's clock.",
  encryption_key: 'One key, for all secrets.',
  health_checks: 'One row about the database.',
  migrations: 'The schema is that of all workspaces.',
  one_time_links: 'The person who has a link is not known before it is used.',
  operation_marks: 'Backups are of the whole database.',
  personal_tokens: 'They are people’s, who may belong to several workspaces.',
  rate_limit_windows: 'Addresses are counted too, and they belong to no workspace.',
  sessions: 'They are people’s, who may belong to several workspaces.',
  users: 'A person may belong to several workspaces.',
  workspaces: 'Its id is the workspace that the other tables name.',
} as const satisfies Partial<Record<keyof Database | 'delivery_schedule' | 'health_checks' | 'migrations', string>>

/** What is done for all workspaces at once, and why. */
export const crossings = {
  authentication: 'A request has only its token, and the row tells the workspace.',
  delivery: 'A worker takes what is due, in whichever workspace.',
  encryption: 'All secrets of the database have the same key.',
  figures: 'Metrics and sizes are those of the instance.',
  membership: 'The workspaces of a person are those that have them as a member.',
  retention: 'What is oldest goes first, in whichever workspace.',
  'search index': 'Tickets are added to it in the order of their ids, in whichever workspace.',
  seeds: 'Ids that a test gives are counted over the whole table, and a row is referred to by its id.',
  'service levels': 'What is overdue is marked, in whichever workspace.',
} as const

/** Stands in a statement that is meant for all workspaces. The tests refuse any other without a workspace. */
export const acrossWorkspaces = (reason: keyof typeof crossings): RawBuilder<never> =>
  sql.raw(`/* across workspaces: ${reason} */`)
