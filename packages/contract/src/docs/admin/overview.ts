import type { overviewAdminRoutes } from '../../admin/overview.ts'
import type { DocsOf } from '../../route-docs.ts'
import { ticketReference } from '../example-values.ts'

/** Documentation of the overview. */
export const overviewAdminDocs: DocsOf<typeof overviewAdminRoutes> = {
  'overview.get': {
    summary: 'Get an overview',
    description:
      'Tickets, deliveries and errors of the last 24 hours by hour, or of the last 7 or 30 days by day, and the tickets whose service level is at risk. With `subscription_id` only deliveries to that endpoint are counted.',
    responses: {
      overview: {
        since: '2026-11-20T18:00:00.000000Z',
        parts: [
          {
            starts_at: '2026-11-20T18:00:00.000000Z',
            tickets_opened: 2,
            tickets_resolved: 1,
            deliveries_succeeded: 14,
            deliveries_failed: 1,
          },
        ],
        tickets_opened_before: 1,
        sla_at_risk: [
          { ...ticketReference, status: 'open', level: 'resolution', due_at: '2026-11-20T19:51:53.123456Z' },
        ],
        errors_by_app: [{ app: 'storefront', reports: 812, kinds: 4 }],
      },
    },
  },
}
