import * as z from 'zod/mini'
import {
  dataOf,
  instant,
  integerId,
  listOf,
  maxTextLength,
  maxTitleLength,
  Named,
  open,
  optionalDate,
  optionalId,
  optionalOpen,
  optionalTags,
  orNull,
  requiredText,
  text,
} from './fields.ts'
import { type ApiRoute, apiRead, apiWrite } from './route.ts'
import type { priorities, ticketStatuses } from './values.ts'

const ticketCore = {
  id: integerId,
  /** `TKT-` and a zero-padded number, counted per workspace. */
  ticket_number: z.string(),
  title: z.string(),
  status: open<(typeof ticketStatuses)[number]>(),
  priority: open<(typeof priorities)[number]>(),
  category: orNull(z.string()),
  /** A user's id. */
  assigned_to: orNull(z.int()),
  created_by: orNull(z.int()),
  /** UTC with microseconds, e.g. `2026-11-20T18:51:53.123456Z`. */
  created_at: instant,
}

const ticketPeople = { assignee: orNull(Named), creator: orNull(Named) }

/** A ticket in a list: with `updated_at`, without `project` (§2). */
export const Ticket = z.looseObject({
  ...ticketCore,
  /** UTC with microseconds. */
  updated_at: instant,
  ...ticketPeople,
})

export type Ticket = z.infer<typeof Ticket>

/** A newly created ticket: with `project`, without `updated_at` (§2). */
export const CreatedTicket = z.looseObject({ ...ticketCore, ...ticketPeople, project: orNull(Named) })

export type CreatedTicket = z.infer<typeof CreatedTicket>

/** The fields of a new ticket (§4). Only `title` is required. Null is the same as omitting a field. */
export const NewTicket = z.object({
  title: requiredText(maxTitleLength),
  description: text(maxTextLength),
  /** Defaults to `medium`. */
  priority: optionalOpen<(typeof priorities)[number]>(),
  category: optionalOpen<never>(),
  /** A user's id. */
  assigned_to: optionalId,
  project_id: optionalId,
  /** A day, `YYYY-MM-DD`. */
  due_at: optionalDate,
  /** At most 50, each of 1 to 64 characters. */
  tags: optionalTags,
})

export type NewTicket = z.input<typeof NewTicket>

export const listTickets = {
  ...apiRead,
  operation: 'tickets.list',
  path: '/workspaces/{workspace}/tickets',
  scope: 'tickets:read',
  responses: { 200: listOf(Ticket) },
} as const satisfies ApiRoute

export const createTicket = {
  ...apiWrite,
  operation: 'tickets.create',
  path: '/workspaces/{workspace}/tickets',
  scope: 'tickets:write',
  body: NewTicket,
  responses: { 201: dataOf(CreatedTicket) },
  emits: 'ticket.created',
} as const satisfies ApiRoute

export const ticketRoutes = [listTickets, createTicket] as const satisfies readonly ApiRoute[]

/** `TKT-` and the number, zero-padded to at least five digits. */
export const toTicketNumber = (number: number): string => `TKT-${String(number).padStart(5, '0')}`
