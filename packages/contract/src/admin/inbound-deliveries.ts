import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { pageOf, pageQuery } from './pages.ts'
import { list, workspace } from './route-kinds.ts'

/** An inbound delivery with a valid secret. */
export const InboundDelivery = z.object({
  id: integerId,
  /** `errors`, `attendance`, `leads`, or a Git provider. */
  integration: z.string(),
  status: z.int(),
  /** One sentence or the name of the event, never part of the body. */
  summary: z.string(),
  request_id: z.string(),
  received_at: instant,
})

export type InboundDelivery = z.output<typeof InboundDelivery>

const InboundDeliveryQuery = z.object({ ...pageQuery, integration: z.optional(z.string()) })

export const inboundDeliveryAdminRoutes = [
  {
    ...list,
    operation: 'inboundDeliveries.list',
    path: `${workspace}/inbound-deliveries`,
    query: InboundDeliveryQuery,
    answers: { 200: pageOf(InboundDelivery) },
  },
] as const satisfies readonly AdminRoute[]
