import type { PunchResult } from '@service/contract'
import type { ExplainedPunch } from '@service/contract/admin/hrms'
import type { BodyToExplain } from '@service/contract/admin/mapping'
import type { Mapping } from '@service/intake/evaluate-mapping'
import type * as z from 'zod/mini'
import type { App } from '../../context.ts'
import type { Micros } from '../../core/clock.ts'
import { ApiError } from '../../core/errors.ts'
import { isJsonObject } from '../../core/json.ts'
import type { InboundReply } from '../../route-handler.ts'
import { inTransaction, rolledBack } from '../../store/transaction.ts'
import {
  bodyToExplain,
  parseEntries,
  type RawBody,
  type ReceivedDelivery,
  type RecordedEntry,
  recordDelivery,
} from '../inbound-deliveries/service.ts'
import { mappingToTry } from '../integrations/mapping-service.ts'
import { getIntegration } from '../integrations/service.ts'
import type { DeviceClock } from './attendance/device-time.ts'
import { recordPunch } from './attendance/service.ts'
import { checkPunch, readPunch } from './read-punch.ts'

interface PunchSender {
  readonly mapping: Mapping | null
  /** How times without an offset are read. */
  readonly clock: DeviceClock
  /** The device whose secret authenticated the request. */
  readonly fixedDeviceId?: number | undefined
  /** When a replayed body arrived. */
  readonly receivedAt?: Micros | undefined
}

/** Records a punch from a webhook and logs the delivery. */
export async function receivePunch(
  app: App,
  delivery: ReceivedDelivery & RawBody,
  { mapping, clock, fixedDeviceId, receivedAt = app.clock.now() }: PunchSender,
): Promise<InboundReply> {
  const read = await readPunch(delivery.body, mapping)
  const note = { integration: 'attendance', status: 200 }
  return inTransaction(app, async (app) => {
    if (read === 'ignored') {
      await recordDelivery(app, delivery, { ...note, summary: 'ignored by the mapping' })
      const hint = 'The mapping of the integration ignores this body.'
      return {
        status: 200,
        answer: { received: true, recorded: false, reason: 'ignored', hint, registered_devices: [] },
        isRefusal: true,
      }
    }
    const { workspaceId } = delivery
    const device = fixedDeviceId === undefined ? {} : { fixedDeviceId }
    const punch = checkPunch(read, receivedAt)
    const result = await recordPunch(app, { workspaceId, punch, via: 'webhook', receivedAt, clock, ...device })
    const status = toStatus(app, result)
    const summary = result.recorded ? result.action : result.reason
    const entries = result.recorded && !result.duplicate ? [{ place: '0', punch: result.punch_id }] : []
    await recordDelivery(app, delivery, { ...note, status, summary, opened: result.recorded, entries })
    return { status, answer: { received: true, ...result }, isRefusal: !result.recorded }
  })
}

/** The specification allows 200 or 422 for an unknown device; an unknown employee is 422. */
function toStatus({ config }: App, result: PunchResult): number {
  if (result.recorded) return 200
  return result.reason === 'device_not_found' ? config.deviceNotFoundStatus : 422
}

interface PunchBody {
  readonly workspaceId: number
  readonly body: z.output<typeof BodyToExplain>
}

/** Records a body as if it had been sent, then rolls back. */
export async function explainPunch(app: App, { workspaceId, body }: PunchBody): Promise<{ data: ExplainedPunch[] }> {
  const at = { workspaceId, integration: 'attendance' } as const
  const { mapping: saved, time_zone, timestamp_format } = await getIntegration(app, at)
  const mapping = await mappingToTry(body.mapping, saved, 'attendance')
  const { received, ...raw } = await bodyToExplain(app, at, body)
  const read = await readPunch(raw.body, mapping)
  if (read === 'ignored') return { data: [{ outcome: 'ignored', reason: null, punch: null, mapped: [] }] }
  const mapped = [...read.mapped] as ExplainedPunch['mapped'] // `from` was checked
  const explained = { punch: isJsonObject(read.punch) ? read.punch : null, mapped }
  try {
    const receivedAt = received?.at ?? app.clock.now()
    const punch = checkPunch(read, receivedAt)
    const device = received?.deviceId == null ? {} : { fixedDeviceId: received.deviceId }
    const clock = { time_zone, timestamp_format }
    const sent = { workspaceId, punch, via: 'webhook', receivedAt, clock, ...device } as const
    const result = await rolledBack(app, (app) => recordPunch(app, sent))
    const own = parseEntries<RecordedEntry>(received?.entries ?? null)?.[0]?.punch
    return { data: [{ ...toOutcome(result, own), ...explained, punch }] }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { data: [{ outcome: 'invalid', reason: error.message, ...explained }] }
  }
}

/** `own` is the punch that the delivery itself recorded, which it does not repeat. */
function toOutcome(result: PunchResult, own: number | undefined): Pick<ExplainedPunch, 'outcome' | 'reason'> {
  if (!result.recorded) return { outcome: 'unmatched', reason: result.reason }
  const isRepeated = result.duplicate && result.punch_id !== own
  return { outcome: isRepeated ? 'duplicate' : 'recorded', reason: null }
}
