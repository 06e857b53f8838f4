import type { inboundDeliveryAdminRoutes } from '../../admin/inbound-deliveries.ts'
import type { DocsOf } from '../../route-docs.ts'
import { page } from '../example-values.ts'

/** Documentation of the log of inbound deliveries. */
export const inboundDeliveryAdminDocs: DocsOf<typeof inboundDeliveryAdminRoutes> = {
  'inboundDeliveries.list': {
    summary: 'List inbound deliveries',
    description: 'The latest deliveries with a valid secret, newest first. `integration` selects one integration.',
    answers: {
      deliveries: page({
        id: 9,
        integration: 'errors',
        status: 200,
        summary: 'Opened TKT-00042.',
        request_id: '019a9f5e-2f0b-7c41-9b56-0d6a3c1f7e22',
        received_at: '2026-11-20T18:51:53.123456Z',
      }),
    },
  },
}
