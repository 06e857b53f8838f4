import { eventNames, integerId, maxTitleLength, text } from '@service/contract'
import * as z from 'zod/mini'

const longestUrl = 2048
const longestHeader = 4096

/** `ticket.*`, `task.*`, … */
const families = [...new Set(eventNames.map((name) => `${name.slice(0, name.indexOf('.'))}.*`))]

const patterns = z
  .array(z.enum([...eventNames, ...families, '*']))
  .check(z.minLength(1), z.maxLength(eventNames.length + families.length + 1))

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
}

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

export const TestEvent = z.object({ event: z.enum(eventNames) })
export type TestEvent = z.input<typeof TestEvent>
