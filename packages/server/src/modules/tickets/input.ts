import {
  integerId,
  maxTextLength,
  maxTitleLength,
  NewTicket,
  optionalDate,
  optionalId,
  optionalOpen,
  type priorities,
  requiredText,
  text,
  type ticketStatuses,
} from '@service/contract'
import * as z from 'zod/mini'

/** A ticket made by administration: for any workspace, by any of its members or by nobody. */
export const NewTicketIn = z.extend(NewTicket, { workspace_id: integerId, created_by: optionalId })
export type NewTicketIn = z.input<typeof NewTicketIn>

/** What may change. A field left out stays; null empties it. */
export const TicketPatch = z.object({
  title: z.optional(requiredText(maxTitleLength)),
  description: text(maxTextLength),
  status: optionalOpen<(typeof ticketStatuses)[number]>(),
  priority: optionalOpen<(typeof priorities)[number]>(),
  category: optionalOpen<never>(),
  assigned_to: optionalId,
  project_id: optionalId,
  due_at: optionalDate,
})
export type TicketPatch = z.input<typeof TicketPatch>
