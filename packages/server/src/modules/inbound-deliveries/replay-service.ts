import type { ReplayedDelivery } from '@service/contract/admin/inbound-deliveries'
import type { App, TxApp } from '../../context.ts'
import { conflict, validation } from '../../core/errors.ts'
import { inTransaction } from '../../store/transaction.ts'
import { receiveLeads } from '../crm/capture-service.ts'
import { findLeadSource } from '../crm/lead-source-service.ts'
import { receiveErrors } from '../error-reports/service.ts'
import { receivePunch } from '../hrms/punch-webhook-service.ts'
import { findReceivingIntegration } from '../integrations/service.ts'
import { claimReplay, requireDelivery } from './service.ts'
import { requireStoredBody } from './stored-body.ts'

interface DeliveryRef {
  readonly workspaceId: number
  readonly id: number
}

type StoredDelivery = Awaited<ReturnType<typeof requireDelivery>>

/** Reads a kept body again with the current mapping. A delivery opens or records something at most once. */
export function replayDelivery(app: App, { workspaceId, id }: DeliveryRef): Promise<ReplayedDelivery> {
  const at = { workspaceId, id }
  return inTransaction(app, (app) => replay(app, at))
}

async function replay(app: TxApp, at: DeliveryRef): Promise<ReplayedDelivery> {
  // Locked before it is read, so that of two replays the second sees what the first did.
  const isClaimed = await claimReplay(app, at)
  const stored = await requireDelivery(app, at)
  const receive = receiverOf(stored)
  if (!isClaimed) throw conflict(`Delivery ${at.id} has already opened or recorded something, so it is not read again.`)
  const delivery = {
    ...requireStoredBody(stored),
    workspaceId: at.workspaceId,
    requestId: stored.request_id,
    replayOf: at.id,
  }
  const opened = await receive(app, delivery, stored)
  const { summary } = await requireDelivery(app, at)
  return { id: at.id, integration: stored.integration, summary, ticket_id: null, lead_id: null, ...opened }
}

type Receiver = (
  app: TxApp,
  delivery: ReturnType<typeof requireStoredBody> & {
    readonly workspaceId: number
    readonly requestId: string
    readonly replayOf: number
  },
  stored: StoredDelivery,
) => Promise<Partial<Pick<ReplayedDelivery, 'ticket_id' | 'lead_id'>>>

const receivers: Readonly<Record<string, Receiver>> = {
  async errors(app, delivery, { counted }) {
    const integration = await findReceivingIntegration(app, delivery.workspaceId, 'errors')
    if (integration === undefined) throw switchedOff('error reports')
    const countedBefore: string[] = JSON.parse(counted ?? '[]')
    const { ticket_id } = await receiveErrors(app, { ...delivery, countedBefore }, integration)
    return { ticket_id }
  },
  async leads(app, delivery, { source }) {
    const found = await findLeadSource(app, delivery.workspaceId, source ?? '')
    if (found === undefined) throw switchedOff(`the lead source ${source}`)
    const { lead_id } = await receiveLeads(app, delivery, found)
    return { lead_id }
  },
  async attendance(app, delivery) {
    const integration = await findReceivingIntegration(app, delivery.workspaceId, 'attendance')
    if (integration === undefined) throw switchedOff('attendance')
    await receivePunch(app, delivery, integration)
    return {}
  },
}

function receiverOf({ integration }: StoredDelivery): Receiver {
  const receiver = receivers[integration]
  if (receiver === undefined) throw validation({ id: [`A delivery of ${integration} cannot be replayed.`] })
  return receiver
}

const switchedOff = (what: string) => conflict(`Switch on ${what} before you replay its deliveries.`)
