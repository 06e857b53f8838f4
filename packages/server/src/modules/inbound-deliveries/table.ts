import type { Generated } from 'kysely'

/** The last deliveries that came with the right secret, so that people can see that their sender gets through. */
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
  /** The lead source of a lead delivery. */
  source: string | null
  content_type: string | null
  /** The decoded text with secrets masked, for some hours; null when it is not kept. */
  body: string | null
  /** 1 when it opened a ticket, captured a lead, or recorded a punch. */
  opened: number
  /** JSON: the keys of the errors that it was counted on. */
  counted: string | null
}
