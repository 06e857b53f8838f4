import type { inboundDeliveryAdminRoutes } from '@service/contract/admin/inbound-deliveries'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers } from '../../route-handler.ts'
import { getDelivery, listDeliveries } from './log-service.ts'

import { replayDelivery } from './service.ts'

export const inboundDeliveryAdminHandlers = {
  'inboundDeliveries.list': paged(listDeliveries),
  'inboundDeliveries.get': getDelivery,
  'inboundDeliveries.replay': replayDelivery,
} satisfies AdminHandlers<typeof inboundDeliveryAdminRoutes>
