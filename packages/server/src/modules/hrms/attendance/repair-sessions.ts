import type { TxApp } from '../../../context.ts'
import { localDay } from '../../../core/zones.ts'
import type { RowRef } from '../../../store/workspace-keys.ts'
import { getWorkspace } from '../../workspaces/service.ts'
import type { PunchInput } from './punch.ts'
import * as queries from './queries.ts'
import { repairPairing, repairWindow } from './repair-window.ts'

interface PunchChange {
  readonly added?: readonly PunchInput[]
  /** As they are stored. */
  readonly removed?: readonly PunchInput[]
}

/** Pairs the employee's punches again from the earliest change on, and writes the changed results. */
export async function repairSessions(app: TxApp, employee: RowRef, change: PunchChange): Promise<void> {
  const { workspaceId } = employee
  const { added = [], removed = [] } = change
  const window = repairWindow([...added, ...removed])
  const punches = await queries.listPunchesFrom(app.db, employee, window.punchesFromAt)
  const addedIds = new Set(added.map(({ id }) => id))
  const removedIds = new Set(removed.map(({ id }) => id))
  const { outcomes, sessions, deletedSessionIds } = repairPairing({
    added,
    removed,
    stored: {
      punches: punches.filter(({ punch: { id } }) => removedIds.has(id) || !addedIds.has(id)),
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
      // A night shift counts for the day on which it began.
      day: localDay(session.checkInAt / 1000, time_zone),
    })
}
