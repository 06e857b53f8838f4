import { createTicket, listTickets } from '@service/contract/tickets'
import type { Priority, TicketStatus } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { Sender } from '../send-call.ts'
import type { Named } from './named.ts'

interface AnyTicket {
  id: number
  /** `TKT-` and a zero-padded number, counted per workspace. */
  ticket_number: string
  title: string
  status: TicketStatus
  priority: Priority
  category: string | null
  /** A user's id. */
  assigned_to: number | null
  created_by: number | null
  /** UTC with microseconds, e.g. `2026-11-20T18:51:53.123456Z`. */
  created_at: string
  assignee: Named | null
  creator: Named | null
}

/** A ticket in a list: with `updated_at`, without `project`. */
export interface Ticket extends AnyTicket {
  /** UTC with microseconds. */
  updated_at: string
}

/** A newly created ticket: with `project`, without `updated_at`. */
export interface CreatedTicket extends AnyTicket {
  project: Named | null
}

/** The fields of a new ticket. Null is the same as omitting a field. */
export interface NewTicket {
  title: string
  description?: string | null | undefined
  /** Defaults to `medium`. */
  priority?: Priority | null | undefined
  category?: string | null | undefined
  /** A user's id. */
  assigned_to?: number | null | undefined
  project_id?: number | null | undefined
  /** A day, `YYYY-MM-DD`. */
  due_at?: string | null | undefined
  /** At most 50, each of 1 to 64 characters. */
  tags?: string[] | null | undefined
}

/** The workspace's tickets. */
export interface Tickets {
  /**
   * Returns up to 50 tickets, newest first. Requires `tickets:read`. The platform has no further pages.
   *
   * @throws ServiceError, especially AuthenticationError, PermissionError, RateLimitError.
   */
  list(options?: CallOptions): Call<Ticket[]>
  /**
   * Creates a ticket with the status `open` and a number such as `TKT-00042`. Requires `tickets:write`.
   *
   * @example
   * const ticket = await client.tickets.create({ title: 'The printer is on fire', priority: 'high' })
   * @throws ServiceError, especially InvalidRequestError (before sending), ValidationError, PermissionError.
   */
  create(ticket: NewTicket, options?: CreateOptions): Call<CreatedTicket>
}

export const tickets = (send: Sender): Tickets => ({ list: send.data(listTickets), create: send.data(createTicket) })
