import type { Overview } from '@service/contract/admin/overview'
import { type OverviewPeriod, overviewPeriods } from '@service/contract/admin/overview'
import type { App } from '../../context.ts'
import { formatInstant, type Micros, microsPerDay, microsPerHour, toDay } from '../../core/clock.ts'
import { countErrorsByApp } from '../error-reports/service.ts'
import { listAtRisk, listTicketFlow } from '../tickets/service.ts'
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
  const at = { workspaceId, since: since - parts * length }
  const tickets = await listTicketFlow(app, at)
  const { succeeded, failed } = await countDeliveries(app, { workspaceId, subscriptionId, since, length, parts })
  const count = (moments: readonly Micros[]) => countPerPart(moments, { since, length, parts })
  const [opened, resolved] = [count(tickets.openedAt), count(tickets.resolvedAt)]
  return {
    since: formatInstant(since),
    parts: Array.from({ length: parts }, (_, part) => ({
      starts_at: formatInstant(since + part * length),
      tickets_opened: opened[part] ?? 0,
      tickets_resolved: resolved[part] ?? 0,
      deliveries_succeeded: succeeded[part] ?? 0,
      deliveries_failed: failed[part] ?? 0,
    })),
    tickets_opened_before: tickets.openedAt.filter((moment) => moment < since).length,
    sla_at_risk: await listAtRisk(app, workspaceId),
    errors_by_app: await countErrorsByApp(app, workspaceId, toDay(since + microsPerDay - 1)),
  }
}

interface Parts {
  readonly since: Micros
  readonly length: number
  readonly parts: number
}

function countPerPart(moments: readonly Micros[], { since, length, parts }: Parts): number[] {
  const counts = Array.from({ length: parts }, () => 0)
  for (const moment of moments) {
    const part = Math.floor((moment - since) / length)
    if (counts[part] !== undefined) counts[part] += 1
  }
  return counts
}
