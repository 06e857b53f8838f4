import type { Generated } from 'kysely'

/** The most recent authenticated deliveries, so that owners can see whether their sender works. */
export interface InboundDeliveriesTable {
  id: Generated<number>
  workspace_id: number
  /** `errors`, `attendance`, `leads`, or a Git provider's key. */
  integration: string
  status: number
  /** One sentence or the event's name; never a part of the body. */
  summary: string
  request_id: string
  received_at: number
  /** The attendance device that authenticated itself with its own secret. */
  device_id: number | null
  /** The lead source of a lead delivery. */
  source: string | null
  content_type: string | null
  /** The decoded text with secrets masked, for some hours; null if it is not stored. */
  body: string | null
  /** 1 if it created a ticket, a lead, or a punch. */
  opened: number
  /** JSON list of what its entries were counted as or created; see `delivery-entries.ts`. */
  counted: string | null
}
