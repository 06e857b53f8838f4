import type { PunchDirection } from '@service/contract'
import { fromDay, microsPerDay } from '../../../core/clock.ts'
import type { Page } from '../../../core/pagination.ts'
import type { Db } from '../../../store/database.ts'
import { newestFirst, whereEqual } from '../../../store/list-query.ts'
import type { RowRef } from '../../../store/workspace-keys.ts'
import type { AttendanceSessionsTable, PunchesTable, UnmatchedPunchesTable } from '../table.ts'
import type { PairedPunch, PairingOutcome, PunchInput, Session } from './punch.ts'

/** Serializes pairing per employee. The update locks the row on both databases. */
export const lockEmployee = (db: Db, { workspaceId, id }: RowRef) =>
  db
    .updateTable('employees')
    .set((set) => ({ user_id: set.ref('user_id') }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

type Instant = {
  readonly workspaceId: number
  readonly employeeId: number
  readonly at: number
  readonly direction: string
  readonly deviceId: number
}

/** An identical punch, as when a device resends its log. */
export const findSame = (db: Db, { workspaceId, employeeId, at, direction, deviceId }: Instant) =>
  db
    .selectFrom('punches')
    .select(['id', 'duplicate_of'])
    .where('workspace_id', '=', workspaceId)
    .where('employee_id', '=', employeeId)
    .where('at', '=', at)
    .where('direction', '=', direction)
    .where('device_id', '=', deviceId)
    .executeTakeFirst()

type NewPunchRow = Omit<PunchesTable, 'id' | 'action' | 'duplicate_of' | 'orphan' | 'check_in_punch_id'>

/** `writeVerdict` sets the result columns in the same transaction. */
export async function insertPunch(db: Db, row: NewPunchRow): Promise<number> {
  const unjudged = { action: 'check_in', duplicate_of: null, orphan: 0, check_in_punch_id: null }
  return (
    await db
      .insertInto('punches')
      .values({ ...row, ...unjudged })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
}

const judgedPunches = (db: Db, workspaceId: number) =>
  db
    .selectFrom('punches')
    .leftJoin('attendance_sessions as session', (join) =>
      join
        .onRef('session.workspace_id', '=', 'punches.workspace_id')
        .onRef('session.check_in_punch_id', '=', 'punches.check_in_punch_id'),
    )
    .where('punches.workspace_id', '=', workspaceId)
    .selectAll('punches')
    .select(['session.check_in_at', 'session.check_out_at', 'session.check_out_punch_id'])

type PairedRow = Awaited<ReturnType<ReturnType<typeof judgedPunches>['execute']>>[number]

export async function listPunchesFrom(db: Db, employee: RowRef, at: number): Promise<PairedPunch[]> {
  const rows = await judgedPunches(db, employee.workspaceId)
    .where('punches.employee_id', '=', employee.id)
    .where('punches.at', '>=', at)
    .execute()
  return rows.map(toJudgedPunch)
}

export const getPunch = (db: Db, { workspaceId, id }: RowRef) =>
  judgedPunches(db, workspaceId).where('punches.id', '=', id).executeTakeFirstOrThrow()

export async function findSessionBegunBefore(db: Db, employee: RowRef, at: number): Promise<Session | null> {
  const row = await db
    .selectFrom('attendance_sessions')
    .selectAll()
    .where('workspace_id', '=', employee.workspaceId)
    .where('employee_id', '=', employee.id)
    .where('check_in_at', '<', at)
    .orderBy('check_in_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toSession({ ...row, check_in_punch_id: row.check_in_punch_id })
}

export const writeOutcome = (db: Db, punch: RowRef, decision: PairingOutcome) =>
  db
    .updateTable('punches')
    .set({
      action: decision.action,
      duplicate_of: decision.duplicateOf,
      orphan: decision.orphan ? 1 : 0,
      check_in_punch_id: decision.session?.checkInId ?? null,
    })
    .where('workspace_id', '=', punch.workspaceId)
    .where('id', '=', punch.id)
    .execute()

export const writeSession = (db: Db, row: AttendanceSessionsTable) =>
  db
    .insertInto('attendance_sessions')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['check_in_punch_id', 'workspace_id'])
        .doUpdateSet({ check_out_punch_id: row.check_out_punch_id, check_out_at: row.check_out_at }),
    )
    .execute()

export async function deleteSessions(db: Db, workspaceId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .deleteFrom('attendance_sessions')
    .where('workspace_id', '=', workspaceId)
    .where('check_in_punch_id', 'in', ids)
    .execute()
}

/** Filters for sessions. Omitted fields match everything. */
export interface SessionFilter {
  readonly employee_id?: number | undefined
  /** The local day on which the session began. */
  readonly day?: string | undefined
}

/** Newest first. A session has the id of the punch that opened it. */
export function listSessions(db: Db, workspaceId: number, { limit, before, employee_id, day }: Page & SessionFilter) {
  const all = db.selectFrom('attendance_sessions').selectAll().where('workspace_id', '=', workspaceId)
  const wanted = whereEqual(all, { employee_id, day })
  return newestFirst(
    day === undefined
      ? wanted
      : wanted.where('check_in_at', '>=', earliestOf(day)).where('check_in_at', '<', latestOf(day)),
    { limit, before },
    'check_in_punch_id',
  ).execute()
}

/** A local day is within one UTC day of the same date, so these bounds allow the check-in index. */
const earliestOf = (day: string) => fromDay(day) - microsPerDay
const latestOf = (day: string) => fromDay(day) + 2 * microsPerDay

export const listPunches = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(db.selectFrom('punches').selectAll().where('workspace_id', '=', workspaceId), page).execute()

/** Returns false if the same punch is already waiting. */
export const insertUnmatched = (db: Db, row: Omit<UnmatchedPunchesTable, 'id' | 'replayed_at' | 'punch_id'>) =>
  db
    .insertInto('unmatched_punches')
    .values({ ...row, replayed_at: null, punch_id: null })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'body_hash']).doNothing())
    .execute()

const waiting = (db: Db, workspaceId: number) =>
  db
    .selectFrom('unmatched_punches')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('replayed_at', 'is', null)

export const listUnmatched = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(waiting(db, workspaceId), page).execute()

export const findUnmatched = (db: Db, workspaceId: number, id: number) =>
  waiting(db, workspaceId).where('id', '=', id).executeTakeFirst()

export const markReplayed = (
  db: Db,
  { workspaceId, id, at, punchId }: RowRef & { readonly at: number; readonly punchId: number },
) =>
  db
    .updateTable('unmatched_punches')
    .set({ replayed_at: at, punch_id: punchId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

function toJudgedPunch(row: PairedRow): PairedPunch {
  return { punch: toFact(row), verdict: toVerdict(row) }
}

function toFact(row: PairedRow): PunchInput {
  const direction = row.direction as PunchDirection // checked on arrival
  return { id: row.id, at: row.at, direction, deviceId: row.device_id, deviceFamily: row.device_family }
}

function toVerdict(row: PairedRow): PairingOutcome {
  return {
    action: row.action === 'check_out' ? 'check_out' : 'check_in',
    duplicateOf: row.duplicate_of,
    orphan: row.orphan !== 0,
    session: toSession(row),
  }
}

type SessionColumns = Pick<PairedRow, 'check_in_punch_id' | 'check_in_at' | 'check_out_at' | 'check_out_punch_id'>

function toSession(row: SessionColumns): Session | null {
  if (row.check_in_punch_id === null || row.check_in_at === null) return null
  return {
    checkInId: row.check_in_punch_id,
    checkInAt: row.check_in_at,
    checkOutId: row.check_out_punch_id,
    checkOutAt: row.check_out_at,
  }
}
