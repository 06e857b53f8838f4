import type { Generated } from 'kysely'

/** Events, stored in the transaction of the change they report (transactional outbox). */
export interface EventsTable {
  id: Generated<number>
  workspace_id: number
  name: string
  /** The JSON text that is signed and sent, byte for byte. */
  body: string
  created_at: number
  /** Random. The ids of the event's deliveries are derived from it. */
  key: Generated<string>
  /** 1 for a test event, which no change in the workspace caused. */
  is_test: Generated<number>
  /** The W3C trace context of the change, which deliveries continue. */
  traceparent: string | null
}

export type DeliveryState = 'pending' | 'succeeded' | 'failed' | 'held'

export interface DeliveriesTable {
  id: Generated<number>
  workspace_id: number
  subscription_id: number
  event_id: number
  state: DeliveryState
  /** 0 is sent as soon as possible, in the order of events; 1 waits for its next attempt. A queue sends 0 first. */
  attempt_class: number
  attempts: number
  /** Attempts made before the last manual resend. The retry schedule counts from there. */
  attempts_before: number
  next_attempt_at: number
  error: string | null
  created_at: number
  finished_at: number | null
}

/** Deliveries to a subscription that were created in an hour: how many succeeded, and how many have only failed so far. */
export interface DeliveryCountsTable {
  workspace_id: number
  subscription_id: number
  /** Hours since 1970. */
  hour: number
  succeeded: number
  failed: number
}

export interface UnroutedEventsTable {
  workspace_id: number
  event_id: number
}

export interface QueueRef {
  readonly workspaceId: number
  readonly subscriptionId: number
}

/** The queue of a subscription, which is the unit that a worker leases, and the health of its receiver. */
export interface DeliveryQueuesTable {
  workspace_id: number
  subscription_id: number
  /** When a worker should claim it. A lease leaves it unchanged, because only this column is indexed. */
  due_at: number | null
  /** While leased: when the holder should look for new work, if another process has announced any. */
  notified_at: number | null
  lease_until: number | null
  lease_token: string | null
  send_limit: number
  failures_in_a_row: number
  paused_until: number | null
  /** With a rate limit: when the next request conforms to the rate. */
  paced_until: number | null
  failing_since: number | null
  /** The number of days with a failure since `failing_since`. */
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

/** Long-running work on the deliveries of a subscription, done in small steps and resumed after a restart. */
export interface DeliveryJobsTable {
  id: Generated<number>
  workspace_id: number
  subscription_id: number
  kind: JobKind
  since: number
  /** The last id that was processed, and the id to stop at. */
  cursor: number
  last_id: number
  done: number
  state: 'running' | 'finished'
  created_at: number
  finished_at: number | null
}
