import type { ticketRoutes } from '@service/contract'
import type { ApiHandlers } from '../../route-handler.ts'
import * as service from './service.ts'

export const ticketHandlers = {
  'tickets.list': async (app, { workspaceId }) => ({ data: await service.listTickets(app, workspaceId) }),
  'tickets.create': async (app, { workspaceId, caller, body }) => ({
    data: await service.createTicket(app, { workspaceId, author: caller.user, ticket: body }),
  }),
} satisfies ApiHandlers<typeof ticketRoutes>
