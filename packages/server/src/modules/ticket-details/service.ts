import type { Changes, Named } from '@service/contract'
import type { TicketDetail } from '@service/contract/admin/work'
import type { App, TicketRef } from '../../context.ts'
import { toNamedActor } from '../../core/admin-caller.ts'
import { formatInstant, formatInstantOrNull } from '../../core/clock.ts'
import { findTicketRuns } from '../automation/service.ts'
import { findTicketError, listErrorDays } from '../error-reports/service.ts'
import { findTicketIssue } from '../git/service.ts'
import { findProjectName } from '../projects/service.ts'
import { getTicketWithHistory } from '../tickets/service.ts'

// Separate from the tickets module: automation, Git, and error reports depend on tickets, and this needs them all.

const maxEntries = 200

/** A ticket with its related records and timeline. */
export async function getTicketDetail(app: App, ref: TicketRef): Promise<TicketDetail> {
  const { workspaceId, id } = ref
  const { ticket, row, tags, history } = await getTicketWithHistory(app, ref, maxEntries)
  const error = await findTicketError(app, ref)
  const timeline = toTimeline({
    row,
    creator: ticket.creator,
    history,
    ...(await findTicketRuns(app, ref, maxEntries)),
    errorDays: error === undefined ? [] : await listErrorDays(app, { workspaceId, id: error.id }, row.created_at),
  })
  return {
    ...ticket,
    description: row.description,
    tags,
    due_at: row.due_at,
    project_id: row.project_id,
    project: await findProject(app, workspaceId, row.project_id),
    resolved_at: formatInstantOrNull(row.resolved_at),
    sla: {
      first_response: toSlaClock(row.first_response_due_at, row.first_responded_at, row.first_response_breached_at),
      resolution: toSlaClock(row.resolution_due_at, row.resolved_at, row.resolution_breached_at),
    },
    error_report: error === undefined ? null : { ...error, last_seen_at: formatInstant(error.last_seen_at) },
    git_issue: (await findTicketIssue(app, workspaceId, id)) ?? null,
    timeline,
  }
}

async function findProject(app: App, workspaceId: number, id: number | null): Promise<Named | null> {
  return id === null ? null : ((await findProjectName(app, workspaceId, id)) ?? null)
}

const toSlaClock = (due: number | null, met: number | null, breached: number | null) =>
  due === null
    ? null
    : { due_at: formatInstant(due), met_at: formatInstantOrNull(met), breached_at: formatInstantOrNull(breached) }

interface Sources {
  readonly row: {
    readonly created_at: number
    readonly origin: string | null
    readonly first_response_breached_at: number | null
    readonly resolution_breached_at: number | null
  }
  readonly creator: Named | null
  /** Newest first, like the runs. */
  readonly history: readonly HistoryEntry[]
  readonly runs: readonly RuleRun[]
  readonly ruleNames: ReadonlyMap<number, string>
  readonly errorDays: readonly { readonly count: number; readonly last_seen_at: number }[]
}

interface HistoryEntry {
  readonly kind: string
  readonly changes: string
  readonly actor_kind: string | null
  readonly actor_id: number | null
  readonly user_name: string | null
  readonly at: number
}

interface RuleRun {
  readonly rule_id: number
  readonly outcome: string
  readonly detail: string
  readonly ran_at: number
}

type Entry = Omit<TicketDetail['timeline'][number], 'at'> & { readonly at: number }

/** The ticket's timeline, oldest first. A rule's changes come before its run. */
function toTimeline(sources: Sources): TicketDetail['timeline'] {
  const { row, creator, history, runs, ruleNames, errorDays } = sources
  const emptyEntry = { by: null, changes: null, detail: null }
  const by = creator === null ? toNamedActor({ kind: row.origin, id: null, name: null }) : { kind: 'user', ...creator }
  const created: Entry = { ...emptyEntry, at: row.created_at, kind: 'created', by }
  const breaches = [
    { at: row.first_response_breached_at, detail: 'first_response' },
    { at: row.resolution_breached_at, detail: 'resolution' },
  ].flatMap(({ at, detail }): Entry[] => (at === null ? [] : [{ ...emptyEntry, at, kind: 'sla_breached', detail }]))
  const toRule = (id: number) => ({ kind: 'rule', id, name: ruleNames.get(id) ?? null })
  const changed = history.toReversed().map(
    ({ at, kind: change, changes, actor_kind: kind, actor_id: id, user_name }): Entry => ({
      at,
      kind: change,
      by: toNamedActor({ kind, id, name: kind === 'rule' && id !== null ? (ruleNames.get(id) ?? null) : user_name }),
      changes: JSON.parse(changes) as Changes, // written only by addToHistory
      detail: null,
    }),
  )
  const ran = runs.toReversed().map(
    ({ ran_at: at, rule_id, outcome, detail }): Entry => ({
      ...emptyEntry,
      at,
      kind: `rule_${outcome}`,
      by: toRule(rule_id),
      detail,
    }),
  )
  const reported = errorDays.map(
    ({ last_seen_at: at, count }): Entry => ({
      ...emptyEntry,
      at,
      kind: 'error_reported',
      by: { kind: 'error_report', id: null, name: null },
      detail: `${count} ${count === 1 ? 'report' : 'reports'} on this day.`,
    }),
  )
  return [created, ...breaches, ...changed, ...ran, ...reported]
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, ...entry }) => ({ at: formatInstant(at), ...entry }))
}
