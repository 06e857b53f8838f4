import type { ticketAdminRoutes } from '@service/contract/admin/work'
import type { AdminHandlers } from '../../route-handler.ts'
import { getTicketDetail } from './service.ts'

export const ticketDetailHandlers = {
  'tickets.get': getTicketDetail,
} satisfies Pick<AdminHandlers<typeof ticketAdminRoutes>, 'tickets.get'>
