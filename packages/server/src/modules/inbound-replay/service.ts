import type { ReplayedDelivery } from '@service/contract/admin/inbound-deliveries'
import type { App, TxApp } from '../../context.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { inTransaction, lockText } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { receiveLeads } from '../crm/capture-service.ts'
import { findLeadSource } from '../crm/lead-source-service.ts'
import { receiveErrors } from '../error-reports/service.ts'
import { receivePunch } from '../hrms/punch-webhook-service.ts'
import {
  type CapturedEntry,
  type Changed,
  type CountedReport,
  loadDelivery,
  parseEntries,
  requireStoredBody,
} from '../inbound-deliveries/service.ts'
import { findReceivingIntegration } from '../integrations/service.ts'
import { replayRefusal } from './replay-refusal.ts'

type StoredDelivery = Awaited<ReturnType<typeof loadDelivery>>

/** Replays a stored body with the current mapping, and corrects what it has created before. */
export function replayDelivery(app: App, { workspaceId, id }: RowRef): Promise<ReplayedDelivery> {
  const ref = { workspaceId, id }
  return inTransaction(app, (app) => replay(app, ref))
}

async function replay(app: TxApp, ref: RowRef): Promise<ReplayedDelivery> {
  const { workspaceId } = ref
  // Of two replays, the second sees what the first did.
  await lockText(app, `replays ${workspaceId}`)
  const stored = await loadDelivery(app, ref)
  const { integration } = stored
  const body = requireStoredBody(stored)
  const refusal = await replayRefusal(app, workspaceId, { ...stored, hasBody: true })
  const receive = receivers[integration]
  if (refusal !== null || receive === undefined) throw conflict(refusal ?? `${integration} cannot be replayed.`)
  const delivery = { ...body, workspaceId, requestId: stored.request_id, replayOf: ref.id }
  const changed: Changed[] = []
  const created = await receive(app, delivery, { stored, changed })
  const { summary } = await loadDelivery(app, ref)
  return { id: ref.id, integration, summary, ticket_id: null, lead_id: null, ...created, changed }
}

interface Replay {
  readonly stored: StoredDelivery
  readonly changed: Changed[]
}

type Receiver = (
  app: TxApp,
  delivery: ReturnType<typeof requireStoredBody> & {
    readonly workspaceId: number
    readonly requestId: string
    readonly replayOf: number
  },
  replay: Replay,
) => Promise<Partial<Pick<ReplayedDelivery, 'ticket_id' | 'lead_id'>>>

const receivers: Readonly<Record<string, Receiver>> = {
  async errors(app, delivery, { stored, changed }) {
    const integration = await findReceivingIntegration(app, delivery.workspaceId, 'errors')
    if (integration === undefined) throw notFound('integration')
    const counted = parseEntries<CountedReport>(stored.counted) ?? []
    const before = { counted, receivedAt: stored.received_at, changed }
    const { ticket_id } = await receiveErrors(app, { ...delivery, before }, integration)
    return { ticket_id }
  },
  async leads(app, delivery, { stored, changed }) {
    const source = await findLeadSource(app, delivery.workspaceId, stored.source ?? '')
    if (source === undefined) throw notFound('lead source', stored.source ?? '')
    const before = { captured: parseEntries<CapturedEntry>(stored.counted) ?? [], changed }
    const { lead_id } = await receiveLeads(app, { ...delivery, before }, source)
    return { lead_id }
  },
  async attendance(app, delivery, { stored }) {
    const integration = await findReceivingIntegration(app, delivery.workspaceId, 'attendance')
    if (integration === undefined) throw notFound('integration')
    const { device_id, received_at: receivedAt } = stored
    await receivePunch(app, delivery, { ...integration, fixedDeviceId: device_id ?? undefined, receivedAt })
    return {}
  },
}
