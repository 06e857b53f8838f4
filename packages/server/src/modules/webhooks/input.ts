import { integerId } from '@service/contract'
import { subscriptionFields } from '@service/contract/admin/webhook-input'
import * as z from 'zod/mini'

/** A new subscription, from where no path names the workspace. */
export const NewSubscription = z.object({ workspace_id: integerId, ...subscriptionFields })
export type NewSubscription = z.input<typeof NewSubscription>

/** A date-time with an offset. */
export const SinceInput = z.object({ since: z.string() })
export type SinceInput = z.input<typeof SinceInput>
