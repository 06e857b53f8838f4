import type { App } from '../../context.ts'
import { formatInstant } from '../../core/clock.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { findTicketOfError } from '../error-reports/service.ts'
import {
  type CountedReport,
  type InboundFilter,
  isExpired,
  listStoredDeliveries,
  loadDelivery,
  parseEntries,
} from '../inbound-deliveries/service.ts'
import { replayRefusal } from './replay-refusal.ts'

/** The last deliveries of a workspace or of one of its integrations, newest first. */
export async function listDeliveries(app: App, workspaceId: number, filter: InboundFilter) {
  const rows = await listStoredDeliveries(app, workspaceId, filter)
  return Promise.all(
    rows.map(async ({ received_at, has_body, opened, counted, ...row }) => {
      const hasBody = Boolean(has_body) && !isExpired(app, received_at)
      return {
        ...row,
        received_at: formatInstant(received_at),
        has_body: hasBody,
        replay_refusal: await replayRefusal(app, workspaceId, { ...row, opened, counted, hasBody }),
      }
    }),
  )
}

/** A delivery with its body. */
export async function getDelivery(app: App, ref: RowRef) {
  const delivery = await loadDelivery(app, ref)
  const { workspace_id: _, opened: __, counted, device_id: ___, received_at, ...row } = delivery
  const hasBody = row.body !== null
  const replay_refusal = await replayRefusal(app, ref.workspaceId, { ...delivery, hasBody })
  const opened_ticket = row.integration === 'errors' ? await openedTicket(app, ref.workspaceId, counted) : null
  return { ...row, received_at: formatInstant(received_at), has_body: hasBody, replay_refusal, opened_ticket }
}

async function openedTicket(app: App, workspaceId: number, counted: string | null) {
  const report = parseEntries<CountedReport>(counted)?.find(({ opened }) => opened)
  return report === undefined ? null : findTicketOfError(app, { workspaceId, id: report.group })
}
