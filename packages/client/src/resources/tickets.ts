import { type CreatedTicket, createTicket, listTickets, type NewTicket, type Ticket } from '@service/contract/tickets'
import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { Sender } from '../send-call.ts'

/** The workspace's tickets. */
export interface Tickets {
  /**
   * The newest tickets, at most 50, newest first. Needs `tickets:read`. The platform offers no further pages.
   *
   * @throws ServiceError, above all AuthenticationError, PermissionError, RateLimitError.
   */
  list(options?: CallOptions): Call<Ticket[]>
  /**
   * Creates a ticket, which gets the status `open` and a number such as `TKT-00042`. Needs `tickets:write`.
   *
   * @example
   * const ticket = await client.tickets.create({ title: 'The printer is on fire', priority: 'high' })
   * @throws ServiceError, above all InvalidRequestError (before sending), ValidationError, PermissionError.
   */
  create(ticket: NewTicket, options?: CreateOptions): Call<CreatedTicket>
}

export function tickets(send: Sender): Tickets {
  const list = send.data(listTickets)
  const create = send.data(createTicket)
  return {
    list: (options) => list(options),
    create: (ticket, options) => create(options, ticket),
  }
}
