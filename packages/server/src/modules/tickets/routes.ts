import { createTicket, listTickets } from '@service/contract'
import { answers } from '../../route-handler.ts'
import * as service from './service.ts'

export const ticketRoutes = [
  answers(listTickets, async (app, { workspaceId }) => ({ data: await service.listTickets(app, workspaceId) })),
  answers(createTicket, async (app, { workspaceId, caller, body }) => ({
    data: await service.createTicket(app, { workspaceId, author: caller.user, ticket: body }),
  })),
]
