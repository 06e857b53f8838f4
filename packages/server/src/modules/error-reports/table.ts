import type { Generated } from 'kysely'

/** The number of tickets that error reports opened in one hour, per workspace. */
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
  /** Null until a report is severe enough for a ticket. */
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
  /** JSON of the latest report, with secrets masked. */
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

/** The newest reports of an error in a ring of ten slots: a report overwrites the one ten before it. */
export interface ErrorSamplesTable {
  id: Generated<number>
  workspace_id: number
  group_id: number
  slot: number
  /** JSON of the report, with secrets masked. */
  sample: string
  seen_at: number
}
