import type { PunchDirection } from '@service/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { fromDay, microsPerDay } from '../../../core/clock.ts'
import type { Page } from '../../../core/pagination.ts'
import type { Db } from '../../../store/database.ts'
import { jsonIds, newestFirst, whereEqual } from '../../../store/list-query.ts'
import type { Store } from '../../../store/store.ts'
import type { RowRef } from '../../../store/workspace-keys.ts'
import type { AttendanceSessionsTable, PunchesTable, UnmatchedPunchesTable } from '../table.ts'
import { type AttendanceSession, defaultLimits, type PairedPunch, type PairingOutcome } from './punch.ts'

const openLimitUs = defaultLimits.openSessionLimitUs

/** Serializes pairing per employee. The update locks the row on both databases. */
export const lockEmployee = (db: Db, { workspaceId, id }: RowRef) =>
  db
    .updateTable('employees')
    .set((set) => ({ user_id: set.ref('user_id') }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

type IdenticalPunch = {
  readonly workspaceId: number
  readonly employeeId: number
  readonly at: number
  readonly direction: string
  readonly deviceId: number
}

/** A device that resends its log sends identical punches. */
export const findIdenticalPunch = (db: Db, { workspaceId, employeeId, at, direction, deviceId }: IdenticalPunch) =>
  db
    .selectFrom('punches')
    .select(['id', 'voided_at', 'replaced_by'])
    .where('workspace_id', '=', workspaceId)
    .where('employee_id', '=', employeeId)
    .where('at', '=', at)
    .where('direction', '=', direction)
    .where('device_id', '=', deviceId)
    // One that counts before one that was corrected or deleted.
    .orderBy(sql`case when voided_at is null then 0 else 1 end`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

type NewPunchRow = Pick<
  PunchesTable,
  'workspace_id' | 'employee_id' | 'device_id' | 'device_family' | 'direction' | 'at' | 'offset_minutes' | 'via'
> &
  Pick<PunchesTable, 'received_at' | 'note' | 'reason'> & { readonly corrected: number }

/** `writeOutcome` sets the result columns in the same transaction. */
export async function insertPunch(db: Db, row: NewPunchRow): Promise<number> {
  const unpaired = { action: 'check_in', duplicate_of: null, orphan: 0, check_in_punch_id: null }
  return (await insertRow(db, { ...row, ...unpaired, voided_at: null, replaced_by: null })).id
}

export const insertRow = (db: Db, row: Insertable<PunchesTable>) =>
  db.insertInto('punches').values(row).returning('id').executeTakeFirstOrThrow()

export const findPunch = (db: Db, { workspaceId, id }: RowRef) =>
  db.selectFrom('punches').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

export const updatePunch = (db: Db, { workspaceId, id }: RowRef, patch: Updateable<PunchesTable>) =>
  db.updateTable('punches').set(patch).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

export const findNewestDevice = (db: Db, { workspaceId, id }: RowRef) =>
  db
    .selectFrom('punches')
    .select('device_id')
    .where('workspace_id', '=', workspaceId)
    .where('employee_id', '=', id)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()

const pairedPunches = (db: Db, workspaceId: number) =>
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

type PairedRow = Awaited<ReturnType<ReturnType<typeof pairedPunches>['execute']>>[number]

export async function listPunchesFrom(db: Db, employee: RowRef, at: number): Promise<PairedPunch[]> {
  const rows = await pairedPunches(db, employee.workspaceId)
    .where('punches.employee_id', '=', employee.id)
    .where('punches.at', '>=', at)
    .where('punches.voided_at', 'is', null)
    .execute()
  return rows.map(toPairedPunch)
}

export const getPunch = (db: Db, { workspaceId, id }: RowRef) =>
  pairedPunches(db, workspaceId).where('punches.id', '=', id).executeTakeFirstOrThrow()

export async function findSessionBefore(db: Db, employee: RowRef, at: number): Promise<AttendanceSession | null> {
  const row = await db
    .selectFrom('attendance_sessions')
    .selectAll()
    .where('workspace_id', '=', employee.workspaceId)
    .where('employee_id', '=', employee.id)
    .where('check_in_at', '<', at)
    .orderBy('check_in_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toSession(row)
}

export const writeOutcome = (db: Db, punch: RowRef, outcome: PairingOutcome) =>
  db
    .updateTable('punches')
    .set({
      action: outcome.action,
      duplicate_of: outcome.duplicateOf,
      orphan: outcome.orphan ? 1 : 0,
      check_in_punch_id: outcome.session?.checkInId ?? null,
    })
    .where('workspace_id', '=', punch.workspaceId)
    .where('id', '=', punch.id)
    .execute()

export const writeSession = (db: Db, row: AttendanceSessionsTable) =>
  db
    .insertInto('attendance_sessions')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['check_in_punch_id', 'workspace_id']).doUpdateSet({
        check_in_at: row.check_in_at,
        check_out_punch_id: row.check_out_punch_id,
        check_out_at: row.check_out_at,
        day: row.day,
      }),
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

/** Whether an administrator added, changed, or deleted a punch within the session, or within 16 hours of an open one. */
const isCorrected = sql<number | boolean>`exists (select 1 from punches where punches.corrected = 1
  and punches.employee_id = attendance_sessions.employee_id and punches.workspace_id = attendance_sessions.workspace_id
  and punches.at >= attendance_sessions.check_in_at
  and punches.at <= coalesce(attendance_sessions.check_out_at, attendance_sessions.check_in_at + ${sql.lit(openLimitUs)}))`

/** Filters for sessions. Omitted fields match everything. */
export interface SessionFilter {
  readonly employee_id?: number | undefined
  /** The local day on which the session began. */
  readonly day?: string | undefined
}

/** Newest first. A session has the id of the punch that opened it. */
export function listSessions(db: Db, workspaceId: number, { limit, before, employee_id, day }: Page & SessionFilter) {
  const all = db
    .selectFrom('attendance_sessions')
    .selectAll()
    .select(isCorrected.as('corrected'))
    .where('workspace_id', '=', workspaceId)
  const matching = whereEqual(all, { employee_id, day })
  // A local day is within one UTC day of the same date. With these bounds the index on check-ins can be used.
  const bounded =
    day === undefined
      ? matching
      : matching
          .where('check_in_at', '>=', fromDay(day) - microsPerDay)
          .where('check_in_at', '<', fromDay(day) + 2 * microsPerDay)
  // An expression keeps PostgreSQL from reading the sessions of everybody in the order of the primary key.
  const id = employee_id === undefined ? sql.ref('check_in_punch_id') : sql`check_in_punch_id + 0`
  return bounded
    .$if(before !== undefined, (sessions) => sessions.where(sql<boolean>`${id} < ${before}`))
    .orderBy(id, 'desc')
    .limit(limit)
    .execute()
}

interface HoursPeriod {
  readonly workspaceId: number
  readonly employeeIds: readonly number[]
  /** Local days. */
  readonly from: string
  readonly to: string
  /** Sessions may begin up to 5 minutes later, and count as 0 until then. */
  readonly now: number
  /** Open sessions that began earlier count as 0, because their check-out was forgotten. */
  readonly openSince: number
}

/** The time worked by each employee on each day, in microseconds, and the number of open sessions. */
export const listHours = (
  { dialect, db }: Pick<Store, 'dialect' | 'db'>,
  { workspaceId, employeeIds, from, to, now, openSince }: HoursPeriod,
) =>
  db
    .selectFrom('attendance_sessions')
    .select(({ fn }) => [
      'employee_id',
      'day',
      fn
        .sum<number | string>(
          sql`case when check_out_at is not null then check_out_at
            when check_in_at >= ${openSince} and check_in_at <= ${now} then ${now} else check_in_at end - check_in_at`,
        )
        .as('worked'),
      sql<number | string>`count(case when ${isCorrected} then 1 end)`.as('corrected'),
      sql<number | string>`count(case when check_out_at is null and check_in_at >= ${openSince}
        and check_in_at <= ${now} then 1 end)`.as('open'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('employee_id', 'in', jsonIds(dialect, employeeIds))
    .where('check_in_at', '>=', fromDay(from) - microsPerDay)
    .where('check_in_at', '<', fromDay(to) + 2 * microsPerDay)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(['employee_id', 'day'])
    .orderBy('day')
    .execute()

/** Check-ins that were moved or deleted. Their days may have no session left. */
export const listVoidedCheckIns = (
  { dialect, db }: Pick<Store, 'dialect' | 'db'>,
  { workspaceId, employeeIds, from, to }: Pick<HoursPeriod, 'workspaceId' | 'employeeIds' | 'from' | 'to'>,
) =>
  db
    .selectFrom('punches')
    .select(['employee_id', 'at'])
    .where('workspace_id', '=', workspaceId)
    .where('employee_id', 'in', jsonIds(dialect, employeeIds))
    // A literal, because the partial index has this condition.
    .where('corrected', '=', sql.lit(1))
    .where('voided_at', 'is not', null)
    .where('action', '=', 'check_in')
    .where('at', '>=', fromDay(from) - microsPerDay)
    .where('at', '<', fromDay(to) + 2 * microsPerDay)
    .execute()

export const listPunches = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(db.selectFrom('punches').selectAll().where('workspace_id', '=', workspaceId), page).execute()

/** Ignores a punch that is already stored. */
export const insertUnmatched = (db: Db, row: Omit<UnmatchedPunchesTable, 'id' | 'replayed_at' | 'punch_id'>) =>
  db
    .insertInto('unmatched_punches')
    .values({ ...row, replayed_at: null, punch_id: null })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'body_hash']).doNothing())
    .execute()

const unmatchedPunches = (db: Db, workspaceId: number) =>
  db
    .selectFrom('unmatched_punches')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('replayed_at', 'is', null)

export const listUnmatched = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(unmatchedPunches(db, workspaceId), page).execute()

export const findUnmatched = (db: Db, workspaceId: number, id: number) =>
  unmatchedPunches(db, workspaceId).where('id', '=', id).executeTakeFirst()

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

function toPairedPunch(row: PairedRow): PairedPunch {
  const direction = row.direction as PunchDirection // checked on arrival
  return {
    punch: { id: row.id, at: row.at, direction, deviceId: row.device_id, deviceFamily: row.device_family },
    outcome: {
      action: row.action === 'check_out' ? 'check_out' : 'check_in',
      duplicateOf: row.duplicate_of,
      orphan: row.orphan !== 0,
      session: toSession(row),
    },
  }
}

type SessionColumns = Pick<PairedRow, 'check_in_punch_id' | 'check_in_at' | 'check_out_at' | 'check_out_punch_id'>

function toSession(row: SessionColumns): AttendanceSession | null {
  if (row.check_in_punch_id === null || row.check_in_at === null) return null
  return {
    checkInId: row.check_in_punch_id,
    checkInAt: row.check_in_at,
    checkOutId: row.check_out_punch_id,
    checkOutAt: row.check_out_at,
  }
}
