import { createHash } from 'node:crypto'
import type { NewPunch, PunchResult, RecordedPunch, UnmatchedPunch } from '@service/contract'
import type { App, TxApp } from '../../../context.ts'
import { formatInstant, formatInstantOrNull, type Micros, microsPerDay, microsPerMinute } from '../../../core/clock.ts'
import { notFound, validation } from '../../../core/errors.ts'
import type { Page } from '../../../core/pagination.ts'
import { inTransaction } from '../../../store/transaction.ts'
import type { RowRef } from '../../../store/workspace-keys.ts'
import { getWorkspace } from '../../workspaces/service.ts'
import { type Identified, identify, requireIdentifiers } from './identify.ts'
import { attendanceDay } from './local-day.ts'
import type { PunchInput } from './punch.ts'
import { offsetMinutesOf, parseTimestamp } from './punch-timestamp.ts'
import * as queries from './queries.ts'
import { repairPairing, repairWindow } from './repair-window.ts'

const maxAheadUs = 5 * microsPerMinute
const maxAgeUs = 31 * microsPerDay

export interface PunchToRecord {
  readonly workspaceId: number
  readonly punch: NewPunch
  readonly via: 'api' | 'webhook' | 'replay' | 'admin'
  /** The device whose secret authenticated the request. */
  readonly fixedDeviceId?: number
  /** Arrival time. A replayed punch keeps its original one. */
  readonly receivedAt?: Micros
}

/** Records a punch, or stores it as unmatched if its employee or device is unknown. */
export function recordPunch(
  app: App,
  { workspaceId, punch, via, fixedDeviceId, receivedAt }: PunchToRecord,
): Promise<PunchResult> {
  requireIdentifiers(punch, fixedDeviceId)
  const now = receivedAt ?? app.clock.now()
  const timestamp = punch.timestamp ?? formatInstant(now)
  const at = requireTimestamp(timestamp, now)
  return inTransaction(app, async (app) => {
    const identified = await identify(app, workspaceId, { punch, fixedDeviceId })
    if (!identified.found) {
      const body = { ...punch, timestamp, ...(fixedDeviceId === undefined ? {} : { device_id: fixedDeviceId }) }
      await storeUnmatched(app, { workspaceId, body, via, reason: identified.reason, now })
      return toUnmatched(identified)
    }
    const direction = punch.direction ?? 'toggle'
    const facts = { workspaceId, at, offsetMinutes: offsetMinutesOf(timestamp), direction, via, now }
    const stored = await storePunch(app, identified, facts)
    return toRecorded(app, { workspaceId, userId: identified.employee.user_id, ...stored })
  })
}

/** Retries an unmatched punch after its employee or device has been registered. */
export function replayUnmatched(app: App, { workspaceId, id }: RowRef): Promise<PunchResult> {
  return inTransaction(app, async (app) => {
    const unmatched = await queries.findUnmatched(app.db, workspaceId, id)
    if (unmatched === undefined) throw notFound('unmatched punch', id)
    const punch: NewPunch = JSON.parse(unmatched.body)
    const result = await recordPunch(app, { workspaceId, punch, via: 'replay', receivedAt: unmatched.received_at })
    if (result.recorded)
      await queries.markReplayed(app.db, { workspaceId, id, at: app.clock.now(), punchId: result.punch_id })
    return result
  })
}

function requireTimestamp(timestamp: string, now: Micros): Micros {
  const at = parseTimestamp(timestamp)
  if (at === 'missing_offset') throw timestampError('must have a UTC offset, e.g. 2026-11-20T09:00:00+01:00')
  if (at === 'invalid') throw timestampError('must be a valid ISO 8601 date-time with a UTC offset')
  if (at > now + maxAheadUs) throw timestampError('must not be more than 5 minutes in the future')
  if (at < now - maxAgeUs) throw timestampError('must not be older than 31 days')
  return at
}

const timestampError = (problem: string) => validation({ timestamp: [`The timestamp field ${problem}.`] })

interface PunchFacts {
  readonly workspaceId: number
  readonly at: Micros
  readonly offsetMinutes: number
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
  { workspaceId, at, direction, offsetMinutes, via, now }: PunchFacts,
): Promise<StoredPunch> {
  await queries.lockEmployee(app.db, { workspaceId, id: employee.id })
  const key = { workspaceId, employeeId: employee.id, at, direction, deviceId: device.id }
  const identical = await queries.findIdenticalPunch(app.db, key)
  if (identical !== undefined) return { punchId: identical.id, isResent: true }
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
  })
  const punch = { id, at, direction, deviceId: device.id, deviceFamily: device.source_type }
  await repairSessions(app, { workspaceId, id: employee.id }, punch)
  return { punchId: id, isResent: false }
}

/** Pairs the employee's punches again from this one on, and writes the changed results. */
async function repairSessions(app: TxApp, employee: RowRef, punch: PunchInput): Promise<void> {
  const { workspaceId } = employee
  const window = repairWindow([punch])
  const punches = await queries.listPunchesFrom(app.db, employee, window.punchesFromAt)
  const { outcomes, sessions, deletedSessionIds } = repairPairing({
    added: [punch],
    stored: {
      punches: punches.filter((stored) => stored.punch.id !== punch.id),
      latestSession: await queries.findSessionBefore(app.db, employee, window.sessionBeforeAt),
    },
  })
  for (const [id, outcome] of outcomes) await queries.writeOutcome(app.db, { workspaceId, id }, outcome)
  await queries.deleteSessions(app.db, workspaceId, deletedSessionIds)
  const { time_zone } = await getWorkspace(app, workspaceId)
  for (const session of sessions)
    await queries.writeSession(app.db, {
      check_in_punch_id: session.checkInId,
      workspace_id: workspaceId,
      employee_id: employee.id,
      check_in_at: session.checkInAt,
      check_out_punch_id: session.checkOutId,
      check_out_at: session.checkOutAt,
      day: attendanceDay(session, time_zone),
    })
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
    registered_devices: [...devices],
  }
}

/** Attendance sessions, newest first. `id` is the id of the punch that opened the session. */
export async function listSessionsPage(app: App, workspaceId: number, page: Page & queries.SessionFilter) {
  const rows = await queries.listSessions(app.db, workspaceId, page)
  return rows.map(({ workspace_id: _, check_in_at, check_out_at, check_in_punch_id, ...row }) => ({
    id: check_in_punch_id,
    ...row,
    check_in_at: formatInstant(check_in_at),
    check_out_at: formatInstantOrNull(check_out_at),
  }))
}

/** Every punch as it was sent, with its pairing result, latest arrival first. */
export async function listPunchesPage(app: App, workspaceId: number, page: Page) {
  const rows = await queries.listPunches(app.db, workspaceId, page)
  return rows.map(({ workspace_id: _, at, received_at, orphan, check_in_punch_id, ...row }) => ({
    ...row,
    at: formatInstant(at),
    received_at: formatInstant(received_at),
    orphan: orphan !== 0,
    session_id: check_in_punch_id,
  }))
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
