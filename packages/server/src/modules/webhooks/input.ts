import { eventNames, integerId, maxTitleLength, text } from '@service/contract'
import * as z from 'zod/mini'
import { eventFamilies } from '../../event-family.ts'

const longestUrl = 2048
const longestHeader = 4096
const longestWaitSeconds = 7 * 24 * 3600
const mostWaits = 20

const patterns = z
  .array(z.enum([...eventNames, ...eventFamilies, '*']))
  .check(z.minLength(1), z.maxLength(eventNames.length + eventFamilies.length + 1))

const url = z.string().check(z.maxLength(longestUrl))

const settings = {
  url,
  /** Exact names, families such as `ticket.*`, or `*`. */
  events: patterns,
  description: text(maxTitleLength),
  encoding: z.optional(z.enum(['hex', 'sha256=hex', 'base64'])),
  /** Whether `webhook-id`, `webhook-timestamp` and `webhook-signature` are sent as well. */
  standard_webhooks: z.optional(z.boolean()),
  /** Sent with every request. Which names and characters are allowed is said in `receiver.ts`. */
  headers: z.optional(z.record(z.string(), z.string().check(z.maxLength(longestHeader)))),
  rate_per_minute: z.nullish(z.int().check(z.minimum(1), z.maximum(600_000))),
  /** Seconds to wait after the first failed attempt, the second, …; null for the platform's own schedule. */
  schedule: z.nullish(
    z.array(z.int().check(z.minimum(1), z.maximum(longestWaitSeconds))).check(z.minLength(1), z.maxLength(mostWaits)),
  ),
  /** One after the other, in the order of the events; one that fails holds up those behind it. */
  fifo: z.optional(z.boolean()),
}

/** A new subscription where the workspace is known already. */
export const SubscriptionSettings = z.object(settings)

export const NewSubscription = z.object({ workspace_id: integerId, ...settings })
export type NewSubscription = z.input<typeof NewSubscription>

/** A field that is left out stays as it is. */
export const SubscriptionPatch = z.object({ ...settings, url: z.optional(url), events: z.optional(patterns) })
export type SubscriptionPatch = z.input<typeof SubscriptionPatch>

/** How long the old secret still signs beside the new one. */
export const Rotation = z.object({ overlap_hours: z.optional(z.number().check(z.minimum(0), z.maximum(7 * 24))) })
export type Rotation = z.input<typeof Rotation>

/** A date-time with an offset. */
export const Since = z.object({ since: z.string() })
export type Since = z.input<typeof Since>

/** The same, or only the question how much that would be. */
export const SinceOrDry = z.object({ since: z.string(), dry_run: z.optional(z.boolean()) })

export const deliveryStates = ['pending', 'succeeded', 'failed', 'held'] as const

/** What of the log is asked for, as it stands in a query string. */
export const DeliveryQuery = z.object({
  subscription_id: z.optional(z.coerce.number().check(z.int(), z.positive())),
  state: z.optional(z.enum(deliveryStates)),
})

export const TestEvent = z.object({ event: z.enum(eventNames) })
export type TestEvent = z.input<typeof TestEvent>
