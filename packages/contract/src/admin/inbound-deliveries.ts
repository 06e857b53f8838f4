import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
import { listRefusals, pageOf, pageQuery } from './pages.ts'

/** A delivery that came with the right secret. */
export const InboundDelivery = z.object({
  id: integerId,
  /** `errors`, `attendance`, `leads`, or a Git provider. */
  integration: z.string(),
  status: z.int(),
  /** One sentence, or the event's name; never a part of the body. */
  summary: z.string(),
  request_id: z.string(),
  received_at: instant,
})
export type InboundDelivery = z.output<typeof InboundDelivery>

const InboundDeliveryQuery = z.object({ ...pageQuery, integration: z.optional(z.string()) })

export const inboundDeliveryAdminRoutes = [
  {
    operation: 'inboundDeliveries.list',
    method: 'GET',
    surface: 'admin',
    path: '/workspaces/{workspace}/inbound-deliveries',
    role: 'viewer',
    query: InboundDeliveryQuery,
    answers: { 200: pageOf(InboundDelivery) },
    refusals: listRefusals,
  },
] as const satisfies readonly AdminRoute[]

/** Documentation of the log of inbound deliveries. */
export const inboundDeliveryAdminDocs = (): DocsOf<typeof inboundDeliveryAdminRoutes> => ({
  'inboundDeliveries.list': {
    tag: 'Intake',
    summary: 'List inbound deliveries',
    description:
      'The last deliveries that came with the right secret, newest first; of one integration where it is named.',
    answers: {
      deliveries: {
        data: [
          {
            id: 9,
            integration: 'errors',
            status: 200,
            summary: 'Opened TKT-00042.',
            request_id: '019a9f5e-2f0b-7c41-9b56-0d6a3c1f7e22',
            received_at: '2026-11-20T18:51:53.123456Z',
          },
        ],
        next_before: null,
      },
    },
  },
})
