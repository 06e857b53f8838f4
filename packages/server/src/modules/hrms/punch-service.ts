import type { NewPunch, PunchResult, ReceivedPunch } from '@service/contract'
import type { App } from '../../core/context.ts'
import { inTransaction } from '../../store/transaction.ts'
import { noteDelivery } from '../inbound-deliveries/service.ts'
import { recordPunch } from './attendance/service.ts'

interface PunchDelivery {
  readonly workspaceId: number
  readonly requestId: string
  readonly punch: NewPunch
  /** The device whose own secret came with the punch. */
  readonly fixedDeviceId: number | undefined
}

/** Records a punch that came by webhook, and that it came. */
export function receivePunch(app: App, delivery: PunchDelivery): Promise<{ status: number; answer: ReceivedPunch }> {
  const { workspaceId, punch, fixedDeviceId } = delivery
  return inTransaction(app, async (app) => {
    const device = fixedDeviceId === undefined ? {} : { fixedDeviceId }
    const result = await recordPunch(app, { workspaceId, punch, via: 'webhook', ...device })
    const status = statusOf(app, result)
    const summary = result.recorded ? result.action : result.reason
    await noteDelivery(app, delivery, { integration: 'attendance', status, summary })
    return { status, answer: { received: true, ...result } }
  })
}

/** Two readings are there for an unknown device only: an unknown employee is 422 in both. */
function statusOf({ config }: App, result: PunchResult): number {
  if (result.recorded) return 200
  return result.reason === 'device_not_found' ? config.deviceNotFoundStatus : 422
}
