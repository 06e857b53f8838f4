import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
import { listRefusals } from './pages.ts'

const count = z.int().check(z.nonnegative())

/** The periods that an overview is of, with how many parts each has. */
export const overviewPeriods = { '24h': 24, '7d': 7, '30d': 30 } as const
export type OverviewPeriod = keyof typeof overviewPeriods

const OverviewQuery = z.object({
  period: z._default(z.enum(['24h', '7d', '30d']), '24h'),
  /** The only endpoint whose deliveries count. */
  subscription_id: z.optional(z.coerce.number().check(z.int(), z.positive())),
})

/** What happened in a part of the period. */
const OverviewPart = z.object({
  starts_at: instant,
  tickets_opened: count,
  tickets_resolved: count,
  deliveries_succeeded: count,
  deliveries_failed: count,
})

/** A ticket whose promise is broken or soon will be. */
export const TicketAtRisk = z.object({
  id: integerId,
  ticket_number: z.string(),
  title: z.string(),
  status: z.string(),
  /** `first_response` or `resolution`. */
  level: z.enum(['first_response', 'resolution']),
  due_at: instant,
})
export type TicketAtRisk = z.output<typeof TicketAtRisk>

/** A workspace at a glance. */
export const Overview = z.object({
  since: instant,
  /** Oldest first. */
  parts: z.array(OverviewPart),
  /** Of the period before, of the same length. */
  tickets_opened_before: count,
  /** Due within a day, or over; the most urgent first, at most 20. */
  sla_at_risk: z.array(TicketAtRisk),
  /** Reports on the days (UTC) that began in the period, the most first, at most 20. */
  errors_by_app: z.array(z.object({ app: z.nullable(z.string()), reports: count, kinds: count })),
})
export type Overview = z.output<typeof Overview>

export const overviewAdminRoutes = [
  {
    operation: 'overview.get',
    method: 'GET',
    surface: 'admin',
    path: '/workspaces/{workspace}/overview',
    role: 'viewer',
    query: OverviewQuery,
    answers: { 200: Overview },
    refusals: listRefusals,
  },
] as const satisfies readonly AdminRoute[]

/** Documentation of the overview. */
export const overviewAdminDocs = (): DocsOf<typeof overviewAdminRoutes> => ({
  'overview.get': {
    tag: 'Workspaces',
    summary: 'Get an overview',
    description:
      'Tickets, deliveries and errors of the last 24 hours by hour, or of the last 7 or 30 days by day, and the tickets whose service level is at risk. With `subscription_id` only deliveries to that endpoint are counted.',
    answers: {
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
          {
            id: 42,
            ticket_number: 'TKT-00042',
            title: 'Checkout fails with a coupon',
            status: 'open',
            level: 'resolution',
            due_at: '2026-11-20T19:51:53.123456Z',
          },
        ],
        errors_by_app: [{ app: 'storefront', reports: 812, kinds: 4 }],
      },
    },
  },
})
