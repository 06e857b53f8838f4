import type { Generated } from 'kysely'

export interface WorkspacesTable {
  id: Generated<number>
  name: string
  /** IANA name; the attendance day of a session is a day in this zone. */
  time_zone: string
  /** ISO 4217 code of the amounts of deals and leads. */
  currency: string | null
  /** Set while the workspace is disabled. */
  disabled_at: Generated<number | null>
  created_at: number
}
