import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { idFilter } from './pages.ts'
import { list, workspace } from './route-kinds.ts'

const count = z.int().check(z.nonnegative())

/** The periods of an overview, and how many parts each has. */
export const overviewPeriods = { '24h': 24, '7d': 7, '30d': 30 } as const

export type OverviewPeriod = keyof typeof overviewPeriods

const OverviewQuery = z.object({
  period: z._default(z.enum(['24h', '7d', '30d']), '24h'),
  /** Counts only deliveries to this subscription. */
  subscription_id: idFilter,
})

/** The counts for one part of the period. */
const OverviewPart = z.object({
  starts_at: instant,
  tickets_opened: count,
  tickets_resolved: count,
  deliveries_succeeded: count,
  deliveries_failed: count,
})

/** A ticket that has missed a service level, or soon will. */
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

/** A summary of a workspace. */
export const Overview = z.object({
  since: instant,
  /** Oldest first. */
  parts: z.array(OverviewPart),
  /** In the preceding period of the same length. */
  tickets_opened_before: count,
  /** Due within eight hours or overdue, most urgent first, at most 20. */
  sla_at_risk: z.array(TicketAtRisk),
  /** Reports on the days (UTC) that began in the period, most frequent first, at most 20. */
  errors_by_app: z.array(z.object({ app: z.nullable(z.string()), reports: count, kinds: count })),
})

export type Overview = z.output<typeof Overview>

export const overviewAdminRoutes = [
  {
    ...list,
    operation: 'overview.get',
    path: `${workspace}/overview`,
    query: OverviewQuery,
    responses: { 200: Overview },
  },
] as const satisfies readonly AdminRoute[]
