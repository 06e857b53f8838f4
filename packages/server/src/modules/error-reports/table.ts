import type { Generated } from 'kysely'

/** Reports of one error: how often, since when, on which ticket, and what the latest one said. */
export interface ErrorGroupsTable {
  id: Generated<number>
  workspace_id: number
  fingerprint: string
  /** Set in the transaction that makes the row. */
  ticket_id: number | null
  count: number
  first_seen_at: number
  last_seen_at: number
  message: string | null
  exception: string | null
  file: string | null
  line: number | null
  framework: string | null
  environment: string | null
  severity: string | null
  app: string | null
  /** JSON of the latest report, secrets masked. */
  sample: string
}
