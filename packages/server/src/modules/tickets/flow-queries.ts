import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'

/** What happened in a workspace since a moment. */
export interface Since {
  readonly workspaceId: number
  readonly since: number
}

/** Numbers grow with time, so reading from the newest ends at the first that is older. */
const firstBefore = (db: Db, { workspaceId, since }: Since) =>
  db
    .selectFrom('tickets')
    .select('number')
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '<', since)
    .orderBy('number', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst()

export async function listOpenedAt(db: Db, at: Since): Promise<number[]> {
  const older = await firstBefore(db, at)
  const rows = await db
    .selectFrom('tickets')
    .select('created_at')
    .where('workspace_id', '=', at.workspaceId)
    .where('number', '>', older?.number ?? 0)
    .execute()
  return rows.map(({ created_at }) => created_at)
}

export async function listResolvedAt(db: Db, { workspaceId, since }: Since): Promise<number[]> {
  const rows = await db
    .selectFrom('tickets')
    .select('resolved_at')
    .where('workspace_id', '=', workspaceId)
    .where('resolved_at', '>=', since)
    .execute()
  return rows.map(({ resolved_at }) => resolved_at ?? 0)
}

interface DueBefore {
  readonly workspaceId: number
  readonly before: number
}

const mostDue = 20

/** Tickets that nobody has answered, with an answer due before a moment, the most urgent first. */
export const listResponsesDue = (db: Db, { workspaceId, before }: DueBefore) =>
  db
    .selectFrom('tickets')
    .select(['id', 'number', 'title', 'status', 'first_response_due_at as due_at'])
    .where('workspace_id', '=', workspaceId)
    .where('first_response_due_at', 'is not', null)
    .where('first_responded_at', 'is', null)
    .where('first_response_due_at', '<=', before)
    .orderBy('first_response_due_at')
    .limit(sql.lit(mostDue))
    .execute()

/** Tickets that are not resolved and have to be before a moment, the most urgent first. */
export const listResolutionsDue = (db: Db, { workspaceId, before }: DueBefore) =>
  db
    .selectFrom('tickets')
    .select(['id', 'number', 'title', 'status', 'resolution_due_at as due_at'])
    .where('workspace_id', '=', workspaceId)
    .where('resolution_due_at', 'is not', null)
    .where('resolved_at', 'is', null)
    .where('resolution_due_at', '<=', before)
    .orderBy('resolution_due_at')
    .limit(sql.lit(mostDue))
    .execute()
