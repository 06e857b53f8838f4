import type { Generated } from 'kysely'

/** Reports of one error: how often, since when, on which ticket, and what the latest one said. */
/** How many tickets the errors of a workspace opened in one hour. */
export interface ErrorTicketBudgetsTable {
  workspace_id: number
  /** Whole hours since 1970. */
  hour: number
  opened: number
}

export interface ErrorGroupsTable {
  id: Generated<number>
  workspace_id: number
  fingerprint: string
  /** Null while no report was bad enough for a ticket. */
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

/** How often an error was reported on a day (UTC), and when last. */
export interface ErrorGroupDaysTable {
  workspace_id: number
  group_id: number
  /** `YYYY-MM-DD` */
  day: string
  count: number
  last_seen_at: number
}

/** The newest reports of an error. A report takes the slot of the one that came ten before it. */
export interface ErrorSamplesTable {
  id: Generated<number>
  workspace_id: number
  group_id: number
  slot: number
  /** JSON of the report, secrets masked. */
  sample: string
  seen_at: number
}
