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

/** Replays a stored body with the current mapping. A delivery creates a ticket, a lead, or a punch at most once. */
export function replayDelivery(app: App, { workspaceId, id }: DeliveryRef): Promise<ReplayedDelivery> {
  const ref = { workspaceId, id }
  return inTransaction(app, (app) => replay(app, ref))
}

async function replay(app: TxApp, ref: DeliveryRef): Promise<ReplayedDelivery> {
  // Locked before it is read, so that of two replays the second sees what the first did.
  const isClaimed = await claimReplay(app, ref)
  const stored = await requireDelivery(app, ref)
  const receive = receiverOf(stored)
  if (!isClaimed)
    throw conflict(`Delivery ${ref.id} has already created a ticket, a lead, or a punch, so it cannot be replayed.`)
  const delivery = {
    ...requireStoredBody(stored),
    workspaceId: ref.workspaceId,
    requestId: stored.request_id,
    replayOf: ref.id,
  }
  const opened = await receive(app, delivery, stored)
  const { summary } = await requireDelivery(app, ref)
  return { id: ref.id, integration: stored.integration, summary, ticket_id: null, lead_id: null, ...opened }
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
    if (integration === undefined) throw isDisabled('error reports')
    const countedBefore: string[] = JSON.parse(counted ?? '[]')
    const { ticket_id } = await receiveErrors(app, { ...delivery, countedBefore }, integration)
    return { ticket_id }
  },
  async leads(app, delivery, { source }) {
    const found = await findLeadSource(app, delivery.workspaceId, source ?? '')
    if (found === undefined) throw isDisabled(`the lead source ${source}`)
    const { lead_id } = await receiveLeads(app, delivery, found)
    return { lead_id }
  },
  async attendance(app, delivery) {
    const integration = await findReceivingIntegration(app, delivery.workspaceId, 'attendance')
    if (integration === undefined) throw isDisabled('attendance')
    await receivePunch(app, delivery, integration)
    return {}
  },
}

function receiverOf({ integration }: StoredDelivery): Receiver {
  const receiver = receivers[integration]
  if (receiver === undefined) throw validation({ id: [`A delivery of ${integration} cannot be replayed.`] })
  return receiver
}

const isDisabled = (what: string) => conflict(`Enable ${what} before you replay its deliveries.`)
