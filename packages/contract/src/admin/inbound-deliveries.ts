import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import { integrationNames } from '../integration-names.ts'
import type { AdminRoute } from '../route.ts'
import { TicketReference } from '../tasks.ts'
import { pageOf, pageQuery } from './pages.ts'
import { action, actionErrorStatuses, list, read, workspace } from './route-kinds.ts'

/** An inbound delivery with a valid secret. */
export const InboundDelivery = z.object({
  id: integerId,
  /** `errors`, `attendance`, `leads`, or a Git provider. */
  integration: z.string(),
  /** The lead source of a lead delivery. */
  source: z.nullable(z.string()),
  status: z.int(),
  /** One sentence or the name of the event, never part of the body. */
  summary: z.string(),
  request_id: z.string(),
  received_at: instant,
  /** Whether its body is still kept, so that it can be explained and replayed. */
  has_body: z.boolean(),
  /** Why it cannot be replayed, as a sentence. Null if it can. */
  replay_refusal: z.nullable(z.string()),
})

/** A delivery with its body. */
export const InboundDeliveryDetail = z.extend(InboundDelivery, {
  content_type: z.nullable(z.string()),
  /** The decoded text with secrets masked. Null when it is no longer kept. */
  body: z.nullable(z.string()),
  /** The ticket that a report in it opened. Null if none did, and for other integrations than `errors`. */
  opened_ticket: z.nullable(TicketReference),
})

export type InboundDeliveryDetail = z.output<typeof InboundDeliveryDetail>

const value = z.nullable(z.union([z.string(), z.number()]))

/** What reading a kept body again did. */
export const ReplayedDelivery = z.object({
  id: integerId,
  integration: z.string(),
  /** One sentence, as in the log. */
  summary: z.string(),
  ticket_id: z.nullable(integerId),
  lead_id: z.nullable(integerId),
  /** The fields of earlier tickets, errors, leads, and inquiries that it corrected. */
  changed: z.array(
    z.object({
      resource: z.enum(['error_report', 'lead', 'lead_enquiry', 'ticket']),
      id: integerId,
      field: z.string(),
      from: value,
      to: value,
    }),
  ),
})

export type ReplayedDelivery = z.output<typeof ReplayedDelivery>

export type InboundDelivery = z.output<typeof InboundDelivery>

const InboundDeliveryQuery = z.object({ ...pageQuery, integration: z.optional(z.enum([...integrationNames, 'leads'])) })

const deliveries = `${workspace}/inbound-deliveries` as const
const admin = { role: 'admin' } as const

export const inboundDeliveryAdminRoutes = [
  {
    ...list,
    operation: 'inboundDeliveries.list',
    path: deliveries,
    query: InboundDeliveryQuery,
    responses: { 200: pageOf(InboundDelivery) },
  },
  {
    ...read,
    ...admin,
    operation: 'inboundDeliveries.get',
    path: `${deliveries}/{id}`,
    responses: { 200: InboundDeliveryDetail },
  },
  {
    ...action,
    ...admin,
    operation: 'inboundDeliveries.replay',
    path: `${deliveries}/{id}/replay`,
    responses: { 200: ReplayedDelivery },
    errorStatuses: [...actionErrorStatuses, 422],
  },
] as const satisfies readonly AdminRoute[]
