import { createHash } from 'node:crypto'
import type { NewPunch, PunchResult, RecordedPunch, UnmatchedPunch } from '@service/contract'
import type { AdminDevice } from '@service/contract/admin/hrms'
import type { App, TxApp } from '../../../context.ts'
import { formatInstant, formatInstantOrNull, type Micros } from '../../../core/clock.ts'
import { notFound } from '../../../core/errors.ts'
import type { Page } from '../../../core/pagination.ts'
import { inTransaction } from '../../../store/transaction.ts'
import type { RowRef } from '../../../store/workspace-keys.ts'
import { getIntegration } from '../../integrations/service.ts'
import { toSentDevice } from '../service.ts'
import type { DeviceClock, PunchTime } from './device-time.ts'
import { type Identified, identify, requireIdentifiers } from './identify.ts'
import type { PunchInput } from './punch.ts'
import { isKeptForDevice, requireTime } from './punch-time.ts'
import * as queries from './queries.ts'
import { repairSessions } from './repair-sessions.ts'
import { toPunch } from './to-punch.ts'

export interface PunchToRecord {
  readonly workspaceId: number
  readonly punch: NewPunch
  readonly via: 'api' | 'webhook' | 'replay' | 'admin'
  /** The device whose secret authenticated the request. */
  readonly fixedDeviceId?: number
  /** Arrival time. A replayed punch keeps its original one. */
  readonly receivedAt?: Micros
  /** Webhook only: how times without an offset are read, unless the device has its own settings. */
  readonly clock?: DeviceClock
}

/** Records a punch, or stores it as unmatched if its employee or device is unknown. */
export function recordPunch(
  app: App,
  { workspaceId, punch, via, fixedDeviceId, receivedAt, clock }: PunchToRecord,
): Promise<PunchResult> {
  requireIdentifiers(punch, fixedDeviceId)
  const now = receivedAt ?? app.clock.now()
  const timestamp = punch.timestamp ?? formatInstant(now)
  // Without a clock, the time must be right whatever the device is.
  if (clock === undefined) requireTime(timestamp, { now, clock })
  return inTransaction(app, async (app) => {
    const identified = await identify(app, workspaceId, { punch, fixedDeviceId })
    const rules = { now, clock: clock && toClock(identified.device, clock) }
    if (!identified.found) {
      const isKept = clock !== undefined && isKeptForDevice(timestamp, identified.device)
      if (!isKept) requireTime(timestamp, rules)
      const body = { ...punch, timestamp, ...(fixedDeviceId === undefined ? {} : { device_id: fixedDeviceId }) }
      await storeUnmatched(app, { workspaceId, body, via, reason: identified.reason, now })
      return toUnmatched(identified)
    }
    const direction = punch.direction ?? 'toggle'
    const facts = { workspaceId, time: requireTime(timestamp, rules), direction, via, now }
    const stored = await storePunch(app, identified, facts)
    return toRecorded(app, { workspaceId, userId: identified.employee.user_id, ...stored })
  })
}

/** The clock of a device. Settings that it lacks are those of the integration. */
const toClock = (device: AdminDevice | undefined, { time_zone, timestamp_format }: DeviceClock): DeviceClock => ({
  time_zone: device?.time_zone ?? time_zone,
  timestamp_format: device?.timestamp_format ?? timestamp_format,
})

/** Retries an unmatched punch after its employee or device has been registered. */
export function replayUnmatched(app: App, { workspaceId, id }: RowRef): Promise<PunchResult> {
  return inTransaction(app, async (app) => {
    const unmatched = await queries.findUnmatched(app.db, workspaceId, id)
    if (unmatched === undefined) throw notFound('unmatched punch', id)
    const punch: NewPunch = JSON.parse(unmatched.body)
    const { time_zone, timestamp_format } = await getIntegration(app, { workspaceId, integration: 'attendance' })
    const clock = unmatched.via === 'api' ? {} : { clock: { time_zone, timestamp_format } }
    const sent = { workspaceId, punch, receivedAt: unmatched.received_at }
    const result = await recordPunch(app, { ...sent, ...clock, via: 'replay' })
    if (result.recorded)
      await queries.markReplayed(app.db, { workspaceId, id, at: app.clock.now(), punchId: result.punch_id })
    return result
  })
}

interface PunchFacts {
  readonly workspaceId: number
  readonly time: PunchTime
  readonly direction: PunchInput['direction']
  readonly via: PunchToRecord['via']
  readonly now: Micros
}

interface StoredPunch {
  readonly punchId: number
  /** Whether the same punch was stored before. */
  readonly isResent: boolean
}

/** Stores the punch and pairs it. An identical punch is ignored. */
async function storePunch(
  app: TxApp,
  { employee, device }: Identified & { found: true },
  { workspaceId, time: { at, offsetMinutes, note }, direction, via, now }: PunchFacts,
): Promise<StoredPunch> {
  await queries.lockEmployee(app.db, { workspaceId, id: employee.id })
  const key = { workspaceId, employeeId: employee.id, at, direction, deviceId: device.id }
  const identical = await queries.findIdenticalPunch(app.db, key)
  // A device may send a punch again after it was corrected or deleted.
  if (identical !== undefined) return { punchId: identical.replaced_by ?? identical.id, isResent: true }
  const id = await queries.insertPunch(app.db, {
    workspace_id: workspaceId,
    employee_id: employee.id,
    device_id: device.id,
    device_family: device.source_type,
    direction,
    at,
    offset_minutes: offsetMinutes,
    via,
    received_at: now,
    note,
    reason: null,
    corrected: 0,
  })
  const punch = { id, at, direction, deviceId: device.id, deviceFamily: device.source_type }
  await repairSessions(app, { workspaceId, id: employee.id }, { added: [punch] })
  return { punchId: id, isResent: false }
}

interface PunchToReport extends StoredPunch {
  readonly workspaceId: number
  readonly userId: number
}

/** The response for a duplicate describes the original punch. */
async function toRecorded(
  app: TxApp,
  { workspaceId, userId, punchId, isResent }: PunchToReport,
): Promise<RecordedPunch> {
  const sent = await queries.getPunch(app.db, { workspaceId, id: punchId })
  const counted =
    sent.duplicate_of === null ? sent : await queries.getPunch(app.db, { workspaceId, id: sent.duplicate_of })
  return {
    recorded: true,
    action: counted.action,
    duplicate: isResent || sent.duplicate_of !== null,
    user_id: userId,
    check_in_at: formatInstantOrNull(counted.check_in_at),
    // An OUT without an IN has no session; its own time is the check-out.
    check_out_at: formatInstantOrNull(counted.orphan === 1 ? counted.at : counted.check_out_at),
    device_id: counted.device_id,
    punch_id: counted.id,
  }
}

async function storeUnmatched(
  app: TxApp,
  unmatched: { workspaceId: number; body: NewPunch; via: string; reason: string; now: Micros },
): Promise<void> {
  const body = JSON.stringify(unmatched.body)
  await queries.insertUnmatched(app.db, {
    workspace_id: unmatched.workspaceId,
    reason: unmatched.reason,
    via: unmatched.via,
    body,
    body_hash: createHash('sha256').update(body).digest('hex'),
    received_at: unmatched.now,
  })
}

const hints = {
  device_not_found: 'Register the device, or send the device_id or external_device_id of a registered one.',
  employee_not_found: 'Give the employee this code, attendance uid, user id or email in their profile.',
}

function toUnmatched({ reason, devices }: Identified & { found: false }): UnmatchedPunch {
  return {
    recorded: false,
    reason,
    hint: `${hints[reason]} The punch is kept and can be replayed.`,
    registered_devices: devices.map(toSentDevice),
  }
}

/** Attendance sessions, newest first. `id` is the id of the punch that opened the session. */
export async function listSessionsPage(app: App, workspaceId: number, page: Page & queries.SessionFilter) {
  const rows = await queries.listSessions(app.db, workspaceId, page)
  return rows.map(({ workspace_id: _, check_in_at, check_out_at, check_in_punch_id, corrected, ...row }) => ({
    id: check_in_punch_id,
    ...row,
    check_in_at: formatInstant(check_in_at),
    check_out_at: formatInstantOrNull(check_out_at),
    corrected: Boolean(corrected),
  }))
}

/** Every punch as it was sent, with its pairing result, latest arrival first. */
export async function listPunchesPage(app: App, workspaceId: number, page: Page) {
  const rows = await queries.listPunches(app.db, workspaceId, page)
  return rows.map(toPunch)
}

/** Unmatched punches, newest first. */
export async function listUnmatchedPage(app: App, workspaceId: number, page: Page) {
  const rows = await queries.listUnmatched(app.db, workspaceId, page)
  return rows.map(({ id, reason, via, body, received_at }) => ({
    id,
    reason,
    via,
    punch: JSON.parse(body) as NewPunch, // written only by recordPunch
    received_at: formatInstant(received_at),
  }))
}
