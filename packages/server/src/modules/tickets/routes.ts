import type { ticketRoutes } from '@service/contract'
import type { ticketAdminRoutes } from '@service/contract/admin/work'
import { actorOf, toAuthorId } from '../../core/admin-caller.ts'
import type { AdminHandlers, ApiHandlers } from '../../route-handler.ts'
import * as service from './service.ts'
import { updateTicket } from './update-service.ts'

export const ticketHandlers = {
  'tickets.list': async (app, { workspaceId }) => ({ data: await service.listTickets(app, workspaceId) }),
  'tickets.create': async (app, { workspaceId, caller, body }) => ({
    data: await service.createTicket(app, { workspaceId, author: caller.user, ticket: body }),
  }),
} satisfies ApiHandlers<typeof ticketRoutes>

export const ticketAdminHandlers = {
  'tickets.list': (app, { workspaceId, query }) => service.listTicketsPage(app, workspaceId, query),
  'tickets.count': (app, { workspaceId, query }) => service.countTickets(app, workspaceId, query),
  'tickets.create': (app, { caller, workspaceId, body: { created_by: id, ...ticket } }) => {
    const created_by = toAuthorId(caller, { field: 'created_by', id })
    return service.createTicketBy({ ...app, actor: actorOf(caller) }, { workspaceId, created_by, ticket })
  },
  'tickets.update': (app, { caller, body, ...at }) => updateTicket({ ...app, actor: actorOf(caller) }, at, body),
} satisfies Omit<AdminHandlers<typeof ticketAdminRoutes>, 'tickets.get'>
