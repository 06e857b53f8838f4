import type { Call } from '../call.ts'
import type { CallOptions } from '../call-options.ts'
import type { InWorkspace } from './page.ts'

/** What happened in a part of the period. */
export interface OverviewPart {
  starts_at: string
  tickets_opened: number
  tickets_resolved: number
  deliveries_succeeded: number
  deliveries_failed: number
}

/** A ticket whose promise is broken or soon will be. */
export interface TicketAtRisk {
  id: number
  ticket_number: string
  title: string
  status: string
  level: 'first_response' | 'resolution'
  due_at: string
}

/** A workspace at a glance. */
export interface Overview {
  since: string
  /** Oldest first. */
  parts: OverviewPart[]
  /** Of the period before, of the same length. */
  tickets_opened_before: number
  /** Due within a day, or over; the most urgent first, at most 20. */
  sla_at_risk: TicketAtRisk[]
  /** Reports on the days (UTC) that began in the period, the most first, at most 20. */
  errors_by_app: { app: string | null; reports: number; kinds: number }[]
}

/** Which overview. */
export interface OverviewQuery {
  period?: '24h' | '7d' | '30d' | undefined
  /** The only endpoint whose deliveries count. */
  subscription_id?: number | undefined
}

/** What a workspace looks like from afar. */
export interface Overviews {
  /** Of the last 24 hours by hour when no period is given, else of 7 or 30 days by day. */
  get(at: InWorkspace, query?: OverviewQuery, options?: CallOptions): Call<Overview>
}
