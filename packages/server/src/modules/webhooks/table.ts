import type { Generated } from 'kysely'

/** Where and how to deliver events. The delivery state is in `delivery_queues`. */
export interface SubscriptionsTable {
  id: Generated<number>
  workspace_id: number
  /** Encrypted, because many receivers treat the URL as a credential. */
  url_encrypted: string
  description: string | null
  secret_encrypted: string
  /** The secret before the last rotation. It also signs during the overlap. */
  previous_secret_encrypted: string | null
  previous_secret_until: number | null
  encoding: string
  standard_webhooks: number
  /** Custom headers as JSON, encrypted because they may contain credentials. */
  headers_encrypted: string | null
  rate_per_minute: number | null
  /** JSON list of seconds: the delays after the first failed attempt, the second, …; null for the default schedule. */
  schedule: string | null
  /** 1: deliver in event order, one at a time. A failing delivery blocks those behind it. */
  fifo: number
  created_at: number
  updated_at: number
  deleted_at: number | null
}

export interface SubscriptionEventsTable {
  workspace_id: number
  /** `ticket.created`, `ticket.*` or `*` */
  pattern: string
  subscription_id: number
}
