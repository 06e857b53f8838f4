import type { inboundDeliveryAdminRoutes } from '@service/contract/admin/inbound-deliveries'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers } from '../../route-handler.ts'
import { listDeliveries } from './service.ts'

export const inboundDeliveryAdminHandlers = {
  'inboundDeliveries.list': paged(listDeliveries),
} satisfies AdminHandlers<typeof inboundDeliveryAdminRoutes>
