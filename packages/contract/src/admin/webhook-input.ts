import * as z from 'zod/mini'
import { eventNames, eventWildcards } from '../events.ts'
import { maxTitleLength, requiredText, text } from '../fields.ts'
import { sortableQuery } from './pages.ts'

// Separate from the routes, because in-process administration also checks its input with these schemas and needs nothing else.

const maxUrlLength = 2048
const maxHeaderLength = 4096
const maxWaitSeconds = 7 * 24 * 3600
const maxWaits = 20
const maxOverlapHours = 7 * 24

const patterns = z
  .array(z.enum([...eventNames, ...eventWildcards, '*']))
  .check(z.minLength(1), z.maxLength(eventNames.length + eventWildcards.length + 1))
/** An event, all of a family, or everything. */
export type EventPattern = z.output<typeof patterns>[number]

const url = z.string().check(z.maxLength(maxUrlLength))

/** The settings of a subscription. */
export const subscriptionFields = {
  url,
  /** Exact names, families such as `ticket.*`, or `*`. */
  events: patterns,
  description: text(maxTitleLength),
  encoding: z.optional(z.enum(['hex', 'sha256=hex', 'base64'])),
  /** Whether `webhook-id`, `webhook-timestamp` and `webhook-signature` are sent as well. */
  standard_webhooks: z.optional(z.boolean()),
  /** Sent with every request. The server checks which names and characters are allowed. */
  headers: z.optional(z.record(z.string(), z.string().check(z.maxLength(maxHeaderLength)))),
  rate_per_minute: z.nullish(z.int().check(z.minimum(1), z.maximum(600_000))),
  /** Seconds to wait after the first failed attempt, the second, … Null uses the platform's schedule. */
  schedule: z.nullish(
    z.array(z.int().check(z.minimum(1), z.maximum(maxWaitSeconds))).check(z.minLength(1), z.maxLength(maxWaits)),
  ),
  /** Sends one delivery at a time, in the order of the events. A failing delivery blocks the ones after it. */
  fifo: z.optional(z.boolean()),
}

/** A new subscription of the workspace in the path. */
export const SubscriptionSettings = z.object(subscriptionFields)
export type SubscriptionSettings = z.input<typeof SubscriptionSettings>

/** Omitted fields keep their values. */
export const SubscriptionPatch = z.object({
  ...subscriptionFields,
  url: z.optional(url),
  events: z.optional(patterns),
})
export type SubscriptionPatch = z.input<typeof SubscriptionPatch>

/** How long the old secret keeps signing along with the new one. */
export const Rotation = z.object({
  overlap_hours: z.optional(z.number().check(z.minimum(0), z.maximum(maxOverlapHours))),
})
export type Rotation = z.input<typeof Rotation>

/** A date-time with an offset. With `dry_run` the deliveries are only counted. */
export const SinceOrDry = z.object({ since: z.string(), dry_run: z.optional(z.boolean()) })

export const TestEvent = z.object({ event: z.enum(eventNames) })
export type TestEvent = z.input<typeof TestEvent>

export const subscriptionStates = ['failing', 'active', 'off'] as const

/** Filters and sorts a list of subscriptions. */
export const SubscriptionQuery = z.object({
  /** `state`: failing ones first, the longest failing on top, then active ones, then those that are off. */
  ...sortableQuery(['state']),
  /** Implies `sort=state`. */
  state: z.optional(z.enum(subscriptionStates)),
  /** A part of the description or the URL, searched in the first 1,000 subscriptions of the list. */
  search: z.optional(requiredText(maxTitleLength)),
})
