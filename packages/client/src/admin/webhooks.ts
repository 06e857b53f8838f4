import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { ById, Changed, InWorkspace, Page, PageQuery } from './page.ts'

/** The events that subscribers may ask for. */
export type EventName =
  | 'ticket.created'
  | 'ticket.updated'
  | 'ticket.resolved'
  | 'task.created'
  | 'task.updated'
  | 'message.created'
  | 'project.updated'

/** An event, all of a family, or everything. */
export type EventPattern = EventName | 'ticket.*' | 'task.*' | 'message.*' | 'project.*' | '*'

/** A subscription as it may be shown: without its secret and the values of its headers. */
export interface Subscription {
  id: number
  /** Null where it cannot be decrypted because the key was lost. */
  url: string | null
  description: string | null
  events: string[]
  encoding: string
  standard_webhooks: boolean
  header_names: string[]
  rate_per_minute: number | null
  /** Seconds to wait after the first failed attempt, the second, …; null for the platform's own schedule. */
  schedule: number[] | null
  fifo: boolean
  enabled: boolean
  /** `manual`, `gone` (the receiver answered 410) or `failing` (no success for five days). */
  disabled_reason: string | null
  disabled_at: string | null
  failing_since: string | null
  last_success_at: string | null
  last_failure_at: string | null
  /** Until then the secret before the last rotation signs too. */
  previous_secret_until: string | null
  created_at: string
  updated_at: string
}

/** With the secret, which is in this answer and in no other. */
export interface SubscriptionWithSecret extends Omit<Subscription, 'url'> {
  url: string
  secret: string
}

/** The warning says what a receiver must do that knows only the old secret. */
export interface RotatedSubscription extends Subscription {
  secret: string
  warning: string | null
}

/** What may change of a subscription. A field left out stays. */
export interface SubscriptionPatch {
  /** Private addresses are refused unless the configuration allows them. */
  url?: string | undefined
  events?: EventPattern[] | undefined
  description?: string | null | undefined
  /** How `X-Service-Signature` is written: `hex` (the document's), `sha256=hex` or `base64`. */
  encoding?: 'hex' | 'sha256=hex' | 'base64' | undefined
  /** Whether `webhook-id`, `webhook-timestamp` and `webhook-signature` are sent as well. */
  standard_webhooks?: boolean | undefined
  /** Sent with every request. */
  headers?: Record<string, string> | undefined
  /** At most so many deliveries a minute; null for no limit. */
  rate_per_minute?: number | null | undefined
  /** Seconds to wait after the first failed attempt, the second, …; null for the platform's own schedule. */
  schedule?: number[] | null | undefined
  /** One after the other, in the order of the events; one that fails holds up those behind it. */
  fifo?: boolean | undefined
}

export interface SubscriptionInput extends SubscriptionPatch {
  url: string
  events: EventPattern[]
}

/** Since when, as a date-time with an offset. */
export interface Since {
  since: string
  /** Only the question how many deliveries that would be. */
  dry_run?: boolean | undefined
}

/** The job that does it, or with `dry_run` how many deliveries it would be. */
export type JobOrCount = { job_id: number } | { count: number }

/** Work on many deliveries. It continues after a restart. */
export interface DeliveryJob {
  id: number
  kind: 'hold' | 'recover' | 'replay'
  subscription_id: number
  state: 'running' | 'finished'
  /** Deliveries that it has changed or made so far. */
  done: number
  /** From 0 to 1; null where it is not known beforehand. */
  progress: number | null
  created_at: string
  finished_at: string | null
}

/** Subscriptions to outbound events. */
export interface Webhooks {
  /** Newest first. */
  list(at: InWorkspace, query?: PageQuery, options?: CallOptions): Call<Page<Subscription>>
  /** Sends events to a URL from now on. The secret is in this answer and in no other. */
  create(at: InWorkspace, subscription: SubscriptionInput, options?: CreateOptions): Call<SubscriptionWithSecret>
  get(at: ById, options?: CallOptions): Call<Subscription>
  update(at: ById, patch: SubscriptionPatch, options?: CallOptions): Call<Subscription>
  delete(at: ById, options?: CallOptions): Call<Changed>
  enable(at: ById, options?: CallOptions): Call<Subscription>
  /** What waits is held and can be recovered. */
  disable(at: ById, options?: CallOptions): Call<Subscription>
  /** The old secret signs beside the new one for 24 hours, or as told: 0 to 168. */
  rotateSecret(
    at: ById,
    rotation?: { overlap_hours?: number | undefined },
    options?: CallOptions,
  ): Call<RotatedSubscription>
  revokePreviousSecret(at: ById, options?: CallOptions): Call<Subscription>
  /** An example of the event, marked as a test, on the way that all events go. */
  sendTest(at: ById, test: { event: EventName }, options?: CallOptions): Call<DeliveryWithBody>
  /** Sends again what was given up or held since then. */
  recover(at: ById, since: Since, options?: CallOptions): Call<JobOrCount>
  /** Sends events since then that the subscription asks for and never had. */
  replayMissing(at: ById, since: Since, options?: CallOptions): Call<JobOrCount>
  /** Progress of `recover`, `replayMissing` and of holding what waits for a disabled subscription. */
  jobs(at: InWorkspace, query?: PageQuery, options?: CallOptions): Call<Page<DeliveryJob>>
  job(at: ById, options?: CallOptions): Call<DeliveryJob>
}

export type DeliveryState = 'pending' | 'succeeded' | 'failed' | 'held'

/** One event for one subscription, and what became of it. */
export interface WebhookDelivery {
  id: number
  /** What the receiver sees in `X-Service-Delivery`. */
  uuid: string
  subscription_id: number
  event_id: number
  event: string
  is_test: boolean
  state: DeliveryState
  attempts: number
  next_attempt_at: string | null
  /** Why the last attempt failed. */
  error: string | null
  created_at: string
  finished_at: string | null
}

/** With the body that is sent. */
export interface DeliveryWithBody extends WebhookDelivery {
  body: string
}

/** One request that was made for a delivery. */
export interface DeliveryAttempt {
  id: number
  number: number
  started_at: string
  duration_ms: number
  outcome: string
  status: number | null
  error: string | null
  response: string | null
  ip: string | null
}

/** The request of a delivery, with a valid signature. Values of the subscription's own headers are hidden. */
export interface DeliveryRequest {
  url: string
  headers: [string, string][]
  body: string
}

export interface DeliveryQuery extends PageQuery {
  subscription_id?: number | undefined
  state?: DeliveryState | undefined
  /** What the receiver sees in `X-Service-Delivery`; looked for among the newest 10,000. */
  uuid?: string | undefined
}

/** What was sent to subscribers. */
export interface Deliveries {
  /** One entry per event and subscription, newest first. */
  list(at: InWorkspace, query?: DeliveryQuery, options?: CallOptions): Call<Page<WebhookDelivery>>
  get(at: ById, options?: CallOptions): Call<DeliveryWithBody>
  /** The requests that were made for a delivery, newest first. */
  attempts(at: ById, options?: CallOptions): Call<{ data: DeliveryAttempt[] }>
  /** The request as a line of curl with a valid signature, to try a receiver by hand. */
  curl(at: ById, options?: CallOptions): Call<{ curl: string }>
  /** The request in parts, with a valid signature. */
  request(at: ById, options?: CallOptions): Call<DeliveryRequest>
  /** Sends it once more, also when it had succeeded. */
  resend(at: ById, options?: CallOptions): Call<DeliveryWithBody>
}

/** An event as it is stored with its change. The body is what subscribers get. */
export interface StoredEvent {
  id: number
  name: EventName
  body: string
  created_at: string
}

/** Fields of the changed object, by its name in the event. */
export interface TriggerInput {
  event: EventName
  overrides?:
    | { [Resource in 'ticket' | 'task' | 'message' | 'project']?: Record<string, unknown> | undefined }
    | undefined
}

/** An event's body as subscribers get it. */
export interface EventBody {
  event: EventName
  workspace_id: number
  timestamp: string
  [resource: string]: unknown
}

/** Events of a workspace, sent to somebody or not. */
export interface Events {
  /** Newest first. */
  list(at: InWorkspace, query?: PageQuery, options?: CallOptions): Call<Page<StoredEvent>>
  /** Makes a change that emits the event, to try receivers. */
  trigger(at: InWorkspace, request: TriggerInput, options?: CallOptions): Call<EventBody>
}
