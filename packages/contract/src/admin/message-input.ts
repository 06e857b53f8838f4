import * as z from 'zod/mini'
import { integerId, maxTextLength, maxTitleLength, optionalId, requiredText } from '../fields.ts'

export const ChannelInput = z.object({ name: requiredText(maxTitleLength) })

/** Changes to a channel. */
export const ChannelPatch = z.object({ name: z.optional(requiredText(maxTitleLength)) })

export const MessageInput = z.object({
  /** Required without a ticket. Defaults to the channel of the ticket's last message, or else to the first channel. */
  channel_id: z.optional(integerId),
  /** Defaults to the caller. Only admins may name another member, or null for a message without an author. */
  author_id: optionalId,
  /** The ticket that it is about. */
  ticket_id: optionalId,
  body: requiredText(maxTextLength),
})
