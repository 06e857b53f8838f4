import type { Punch } from '@service/contract/admin/hrms'
import type { PunchInput as NewPunch, PunchPatch } from '@service/contract/admin/hrms-input'
import type { App, TxApp } from '../../../context.ts'
import { type Micros, microsPerDay, microsPerMinute } from '../../../core/clock.ts'
import { conflict, notFound, validation } from '../../../core/errors.ts'
import { inTransaction } from '../../../store/transaction.ts'
import type { RowRef } from '../../../store/workspace-keys.ts'
import * as hrms from '../queries.ts'
import type { PunchInput } from './punch.ts'
import { parseOffsetMinutes, parseTimestamp } from './punch-timestamp.ts'
import * as queries from './queries.ts'
import { repairSessions } from './repair-sessions.ts'
import { toPunch } from './to-punch.ts'

/** Bounds how many punches a correction pairs again. */
const maxAgeUs = 366 * microsPerDay
const maxAheadUs = 5 * microsPerMinute

export async function getPunch(app: App, ref: RowRef): Promise<Punch> {
  return toPunch(await requirePunch(app, ref))
}

/** Adds a punch that is missing, with the reason. */
export function addPunch(app: App, workspaceId: number, punch: NewPunch): Promise<Punch> {
  return inTransaction(app, async (app) => {
    const { employee_id, direction, reason } = punch
    const at = requireTime(app, punch.at)
    const employee = { workspaceId, id: employee_id }
    if ((await hrms.findEmployee(app.db, workspaceId, employee_id)) === undefined)
      throw validation({ employee_id: ['The employee_id field must be an employee of the workspace.'] })
    await queries.lockEmployee(app.db, employee)
    const device = await requireDevice(app, employee, punch.device_id)
    const key = { workspaceId, employeeId: employee_id, at, direction, deviceId: device.id }
    const identical = await queries.findIdenticalPunch(app.db, key)
    if (identical?.voided_at === null) throw conflict(`The employee already has this punch: ${identical.id}.`)
    const id = await queries.insertPunch(app.db, {
      workspace_id: workspaceId,
      employee_id,
      device_id: device.id,
      device_family: device.source_type,
      direction,
      at,
      offset_minutes: parseOffsetMinutes(punch.at),
      via: 'admin',
      received_at: app.clock.now(),
      note: null,
      reason,
      corrected: 1,
    })
    const added = { id, at, direction, deviceId: device.id, deviceFamily: device.source_type }
    await repairSessions(app, employee, { added: [added] })
    return getPunch(app, { workspaceId, id })
  })
}

/** Without an id, the device of the employee's newest punch, or the first device. */
async function requireDevice(app: TxApp, employee: RowRef, id: number | null | undefined) {
  const devices = await hrms.listDevices(app.db, employee.workspaceId)
  const wanted = id ?? (await queries.findNewestDevice(app.db, employee))?.device_id ?? devices[0]?.id
  const device = devices.find((each) => each.id === wanted)
  const remedy = devices.length === 0 ? ', which has none. Add a device first.' : '.'
  if (device === undefined)
    throw validation({ device_id: [`The device_id field must be a device of the workspace${remedy}`] })
  return device
}

/** Changes the time or the direction of a punch. The original is kept in a separate row. */
export function correctPunch(app: App, ref: RowRef, { at, direction, reason }: PunchPatch): Promise<Punch> {
  return inTransaction(app, async (app) => {
    const original = await lockPunch(app, ref)
    const corrected = {
      at: at === undefined ? original.at : requireTime(app, at),
      offset_minutes: at === undefined ? original.offset_minutes : parseOffsetMinutes(at),
      direction: direction ?? original.direction,
    }
    if (corrected.at === original.at && corrected.direction === original.direction) {
      if (reason !== undefined) await queries.updatePunch(app.db, ref, { reason })
      return getPunch(app, ref)
    }
    const before = toInput(original)
    const after = toInput({ ...original, ...corrected })
    await repairSessions(app, employeeOf(original), { added: [after], removed: [before] })
    const { id, ...columns } = original
    await queries.insertRow(app.db, {
      ...columns,
      ...unpaired,
      corrected: 1,
      voided_at: app.clock.now(),
      replaced_by: id,
    })
    const note = at === undefined ? original.note : null
    await queries.updatePunch(app.db, ref, { ...corrected, note, corrected: 1, reason })
    return getPunch(app, ref)
  })
}

/** Keeps the punch and marks it, so that a device that sends it again does not bring it back. */
export function deletePunch(app: App, { reason, ...ref }: RowRef & { readonly reason?: string | undefined }) {
  return inTransaction(app, async (app) => {
    const punch = await lockPunch(app, ref)
    await repairSessions(app, employeeOf(punch), { removed: [toInput(punch)] })
    await queries.updatePunch(app.db, ref, { ...unpaired, corrected: 1, voided_at: app.clock.now(), reason })
    return { id: ref.id }
  })
}

const unpaired = { duplicate_of: null, orphan: 0, check_in_punch_id: null }

/** A punch that may be corrected, read while no other punch of its employee is paired. */
async function lockPunch(app: TxApp, ref: RowRef) {
  await queries.lockEmployee(app.db, employeeOf(await requirePunch(app, ref)))
  const punch = await requirePunch(app, ref)
  if (punch.replaced_by !== null)
    throw conflict(`Punch ${ref.id} is the original of a correction. Correct punch ${punch.replaced_by} instead.`)
  if (punch.voided_at !== null) throw conflict(`Punch ${ref.id} was deleted. Add a punch instead.`)
  if (punch.at < app.clock.now() - maxAgeUs) throw conflict('Punches older than 366 days cannot be corrected.')
  return punch
}

async function requirePunch(app: App, ref: RowRef) {
  const punch = await queries.findPunch(app.db, ref)
  if (punch === undefined) throw notFound('punch', ref.id)
  return punch
}

type PunchRow = Awaited<ReturnType<typeof requirePunch>>

const employeeOf = ({ workspace_id, employee_id }: PunchRow): RowRef => ({ workspaceId: workspace_id, id: employee_id })

const toInput = ({ id, at, direction, device_id, device_family }: PunchRow): PunchInput => ({
  id,
  at,
  direction: direction as PunchInput['direction'], // checked on arrival
  deviceId: device_id,
  deviceFamily: device_family,
})

function requireTime(app: App, text: string): Micros {
  const at = parseTimestamp(text)
  const now = app.clock.now()
  if (typeof at !== 'number') throw timeError('must be a valid ISO 8601 date-time with a UTC offset')
  if (at > now + maxAheadUs) throw timeError('must not be more than 5 minutes in the future')
  if (at < now - maxAgeUs) throw timeError('must not be older than 366 days')
  return at
}

const timeError = (problem: string) => validation({ at: [`The at field ${problem}.`] })
