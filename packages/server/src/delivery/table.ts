import type { Generated } from 'kysely'

/** What happened, kept in the transaction of its change (transactional outbox). */
export interface EventsTable {
  id: Generated<number>
  workspace_id: number
  name: string
  /** The JSON text that is signed and sent, byte for byte. */
  body: string
  created_at: number
  /** Random; what the ids of its deliveries are made of. */
  key: Generated<string>
  /** 1 for an event that nothing in the workspace caused. */
  is_test: Generated<number>
}

export type DeliveryState = 'pending' | 'succeeded' | 'failed' | 'held'

export interface DeliveriesTable {
  id: Generated<number>
  workspace_id: number
  subscription_id: number
  event_id: number
  state: DeliveryState
  /** 0 until the first attempt, then 1: a queue sends what is new before what has failed. */
  attempt_class: number
  attempts: number
  /** How many of the attempts were made before somebody asked to send again; the schedule counts from there. */
  attempts_before: number
  next_attempt_at: number
  error: string | null
  created_at: number
  finished_at: number | null
}

export interface UnroutedEventsTable {
  workspace_id: number
  event_id: number
}

export interface QueueRef {
  readonly workspaceId: number
  readonly subscriptionId: number
}

/** The queue of a subscription: the unit that a worker leases, and how its receiver has been doing. */
export interface DeliveryQueuesTable {
  workspace_id: number
  subscription_id: number
  /** When a worker should take it up; while leased, the end of the lease, or earlier to notify the holder. */
  due_at: number | null
  lease_until: number | null
  lease_token: string | null
  send_limit: number
  failures_in_a_row: number
  paused_until: number | null
  /** With a rate: when the next request would be on time. */
  paced_until: number | null
  failing_since: number | null
  /** On how many days since then it has failed. */
  failing_days: number
  last_success_at: number | null
  last_failure_at: number | null
  disabled_at: number | null
  disabled_reason: string | null
}

export interface DeliveryAttemptsTable {
  id: Generated<number>
  workspace_id: number
  delivery_id: number
  number: number
  started_at: number
  duration_ms: number
  outcome: string
  status: number | null
  error: string | null
  response: string | null
  ip: string | null
}

export type JobKind = 'hold' | 'recover' | 'replay'

/** Long work on the deliveries of a subscription, done in small steps and taken up again after a restart. */
export interface DeliveryJobsTable {
  id: Generated<number>
  workspace_id: number
  subscription_id: number
  kind: JobKind
  since: number
  /** The last id that has been looked at, and the one to stop at. */
  cursor: number
  last_id: number
  done: number
  state: 'running' | 'finished'
  created_at: number
  finished_at: number | null
}
