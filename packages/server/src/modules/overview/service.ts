import type { Overview } from '@service/contract/admin/overview'
import { type OverviewPeriod, overviewPeriods } from '@service/contract/admin/overview'
import type { App } from '../../context.ts'
import { formatInstant, microsPerDay, microsPerHour, toDay } from '../../core/clock.ts'
import { countErrorsByApp } from '../error-reports/service.ts'
import { countTicketFlow, listAtRisk } from '../tickets/service.ts'
import { countDeliveries } from '../webhooks/delivery-log-service.ts'

interface OverviewRequest {
  readonly workspaceId: number
  readonly period: OverviewPeriod
  /** Count only deliveries to this endpoint. */
  readonly subscriptionId?: number | undefined
}

/** An overview of a workspace: each module's activity, counted per part of the period. */
export async function getOverview(
  app: App,
  { workspaceId, period, subscriptionId }: OverviewRequest,
): Promise<Overview> {
  const parts = overviewPeriods[period]
  const length = period === '24h' ? microsPerHour : microsPerDay
  // The last part is the current hour or day, which is incomplete.
  const since = Math.floor(app.clock.now() / length) * length - (parts - 1) * length
  const at = { workspaceId, since, length, parts }
  const { opened, resolved, openedBefore } = await countTicketFlow(app, at)
  const { succeeded, failed } = await countDeliveries(app, { ...at, subscriptionId })
  return {
    since: formatInstant(since),
    parts: Array.from({ length: parts }, (_, part) => ({
      starts_at: formatInstant(since + part * length),
      tickets_opened: opened[part] ?? 0,
      tickets_resolved: resolved[part] ?? 0,
      deliveries_succeeded: succeeded[part] ?? 0,
      deliveries_failed: failed[part] ?? 0,
    })),
    tickets_opened_before: openedBefore,
    sla_at_risk: await listAtRisk(app, workspaceId),
    errors_by_app: await countErrorsByApp(app, workspaceId, toDay(since + microsPerDay - 1)),
  }
}
