import type { Generated } from 'kysely'

/** Who wants to be told, where, and how. How it fares stands in `delivery_queues`. */
export interface SubscriptionsTable {
  id: Generated<number>
  workspace_id: number
  /** Encrypted: many receivers take whoever knows their URL for the platform. */
  url_encrypted: string
  description: string | null
  secret_encrypted: string
  /** The secret before the last rotation, which still signs beside the new one for a while. */
  previous_secret_encrypted: string | null
  previous_secret_until: number | null
  encoding: string
  standard_webhooks: number
  /** Extra headers as JSON, encrypted: people put credentials into them. */
  headers_encrypted: string | null
  rate_per_minute: number | null
  /** JSON list of seconds: how long to wait after the first failed attempt, the second, …; null for the platform's own. */
  schedule: string | null
  /** 1: one after the other, in the order of the events; one that fails holds up those behind it. */
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
