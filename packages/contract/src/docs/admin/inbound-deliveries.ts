import type { inboundDeliveryAdminRoutes } from '../../admin/inbound-deliveries.ts'
import type { DocsOf } from '../../route-docs.ts'
import { page } from '../example-values.ts'

const delivery = {
  id: 9,
  integration: 'errors',
  source: null,
  status: 200,
  summary: 'error report',
  request_id: '019a9f5e-2f0b-7c41-9b56-0d6a3c1f7e22',
  received_at: '2026-11-20T18:51:53.123456Z',
  has_body: true,
  replay_refusal: null,
}

/** Documentation of the log of inbound deliveries. */
export const inboundDeliveryAdminDocs: DocsOf<typeof inboundDeliveryAdminRoutes> = {
  'inboundDeliveries.list': {
    summary: 'List inbound deliveries',
    description:
      'The last deliveries with a valid secret, newest first. `integration` selects those of one integration.',
    responses: { deliveries: page(delivery) },
  },
  'inboundDeliveries.get': {
    summary: 'Get an inbound delivery',
    description:
      'With its decoded body, secrets masked, and the ticket that its first report opened. Bodies of error reports, leads and punches are kept for `inboundBodyHours` (24 by default) up to 64 kB each, the newest 100 of an integration.',
    responses: {
      delivery: {
        ...delivery,
        content_type: 'application/json',
        body: '{"message":"No stock left"}',
        opened_ticket: { id: 42, ticket_number: 'TKT-00042', title: 'No stock left' },
      },
    },
  },
  'inboundDeliveries.replay': {
    summary: 'Replay an inbound delivery',
    description:
      'Reads a kept body again with the current mapping. The error that it was counted as moves, with its ticket, to what it is read as now; fields that a person has changed stay. If that error has a ticket, the counts are joined there, and the other ticket is closed with a message. An inquiry that was misread is corrected, with the lead that it created; an inquiry of another person moves to the lead of its person. 409 when the delivery has recorded a punch or its integration is disabled; 422 when its body is no longer kept. `replay_refusal` of a delivery says so before.',
    responses: {
      replayed: {
        ...{ id: 9, integration: 'errors', summary: 'error report', ticket_id: 42, lead_id: null },
        changed: [
          { resource: 'ticket', id: 42, field: 'title', from: 'Error report', to: 'No stock left' },
          { resource: 'error_report', id: 5, field: 'app', from: null, to: 'shop' },
        ],
      },
    },
  },
}
