import type { Named } from '@service/contract'
import type { TicketDetail } from '@service/contract/admin/ticket-detail'
import type { App, TicketRef } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instants.ts'
import { findRunsOf } from '../automation/runs-service.ts'
import { findErrorOf, listErrorDays } from '../error-reports/group-service.ts'
import { findIssueOf } from '../git/service.ts'
import { findProjectName } from '../projects/service.ts'
import { listHistory } from './history-queries.ts'
import * as queries from './queries.ts'
import { toTicket } from './service.ts'
import { toTimeline } from './timeline.ts'

const mostEntries = 200

/** A ticket with everything that is known of it. */
export async function getTicketDetail(app: App, at: TicketRef): Promise<TicketDetail> {
  const { workspaceId, id } = at
  const [listed, row] = [
    await queries.findListed(app.db, workspaceId, id),
    await queries.findTicket(app.db, workspaceId, id),
  ]
  if (listed === undefined || row === undefined) throw notFound('ticket', id)
  const ticket = toTicket(listed)
  const error = await findErrorOf(app, at)
  const timeline = toTimeline({
    row,
    creator: ticket.creator,
    history: await listHistory(app.db, at, mostEntries),
    ...(await findRunsOf(app, at, mostEntries)),
    errorDays: error === undefined ? [] : await listErrorDays(app, { workspaceId, id: error.id }, row.created_at),
  })
  return {
    ...ticket,
    description: row.description,
    tags: await queries.listTags(app.db, at),
    due_at: row.due_at,
    project_id: row.project_id,
    project: await projectOf(app, workspaceId, row.project_id),
    resolved_at: formatInstantOrNull(row.resolved_at),
    sla: {
      first_response: toClock(row.first_response_due_at, row.first_responded_at, row.first_response_breached_at),
      resolution: toClock(row.resolution_due_at, row.resolved_at, row.resolution_breached_at),
    },
    error_report: error === undefined ? null : { ...error, last_seen_at: formatInstant(error.last_seen_at) },
    git_issue: (await findIssueOf(app, workspaceId, id)) ?? null,
    timeline,
  }
}

async function projectOf(app: App, workspaceId: number, id: number | null): Promise<Named | null> {
  return id === null ? null : ((await findProjectName(app, workspaceId, id)) ?? null)
}

const toClock = (due: number | null, met: number | null, breached: number | null) =>
  due === null
    ? null
    : { due_at: formatInstant(due), met_at: formatInstantOrNull(met), breached_at: formatInstantOrNull(breached) }
