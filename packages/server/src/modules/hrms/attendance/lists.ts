import type { NewPunch } from '@service/contract'
import type { App } from '../../../context.ts'
import { formatInstant, formatInstantOrNull } from '../../../core/clock.ts'
import type { Page } from '../../../core/pagination.ts'
import * as queries from './queries.ts'

/** Attendance sessions, newest first; `id` is that of the punch which opened the session. */
export async function listSessionsPage(app: App, workspaceId: number, page: Page & queries.SessionFilter) {
  const rows = await queries.listSessions(app.db, workspaceId, page)
  return rows.map(({ workspace_id: _, check_in_at, check_out_at, check_in_punch_id, ...row }) => ({
    id: check_in_punch_id,
    ...row,
    check_in_at: formatInstant(check_in_at),
    check_out_at: formatInstantOrNull(check_out_at),
  }))
}

/** Every punch as it was sent, with what pairing made of it, newest arrival first. */
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

/** Punches that wait for their person or device, newest first. */
export async function listUnmatchedPage(app: App, workspaceId: number, page: Page) {
  const rows = await queries.listUnmatched(app.db, workspaceId, page)
  return rows.map(({ id, reason, via, body, received_at }) => ({
    id,
    reason,
    via,
    punch: JSON.parse(body) as NewPunch, // written by recordPunch only
    received_at: formatInstant(received_at),
  }))
}
