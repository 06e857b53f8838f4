import type { Changes } from '@service/contract'
import { isResolved } from '@service/contract/values'
import { type Micros, microsPerHour, microsPerMinute, microsPerSecond, toDay } from '../../../core/clock.ts'
import { diff } from '../../../core/diff.ts'
import { indexCreatedTickets } from '../../../modules/tickets/search-index.ts'
import { allDays, atHour, type Company, daysFrom, isWorkday, peopleOf, pick, records, spread } from './company.ts'
import { byTime, insertRows, withIds } from './store-rows.ts'
import data from './tickets.json' with { type: 'json' }
import workspace from './workspace.json' with { type: 'json' }

interface Kind {
  readonly tag: keyof typeof data.texts
  readonly category: string
  readonly team: string
  readonly urgency: keyof typeof data.urgencies
  /** An index into the list of projects. */
  readonly project: number | null
}

const kinds = records<Kind>(data.kinds).flatMap((kind) =>
  Object.entries<string>(data.texts[kind.tag]).map(([title, description]) => ({ ...kind, title, description })),
)
const levels = records<{ priority: string; first_response_minutes: number; resolution_minutes: number }>(
  workspace.sla_policies,
)
const customers = records<{ name: string }>(workspace.accounts)

const getMinutes = (priority: string) =>
  pick(
    levels,
    levels.findIndex((level) => level.priority === priority),
  )

/** Tickets created by people, per day, plus tickets of today, some of them close to their SLA target. */
export function planTickets(company: Company) {
  const { now, projects } = company
  const days = allDays
    .slice(0, -1)
    .flatMap((ago) => Array<number>(isWorkday(now, ago) ? 3 + (ago % 2) : ago % 3).fill(ago))
  const usual = days.map((ago, n) => {
    const kind = pick(kinds, n * 7)
    const at = atHour(now, ago, 6.5 + 12 * spread(n))
    return { at, kind, priority: pick(data.urgencies[kind.urgency], n), history: pick(data.histories, n) }
  })
  const today = data.today.map(({ minutes_ago, priority, history }, n) => {
    const fitting = kinds.filter(({ urgency }) => data.urgencies[urgency].includes(priority))
    return { at: now - minutes_ago * microsPerMinute, kind: pick(fitting, n * 7), priority, history }
  })
  const authors = peopleOf(company, ['Support', 'Sales', 'Dispatch', 'Warehouse'])
  return [...usual, ...today].map(({ at, kind, priority, history }, n) => {
    const { title, description, category, tag, team, project } = kind
    const minutes = getMinutes(priority).resolution_minutes
    return {
      at,
      title: fillIn(title, n),
      description: fillIn(description, n),
      priority,
      category,
      team,
      tags: [tag],
      project_id: project === null || n % 5 < 2 ? null : pick(projects, project).id,
      ...(n % 12 === 0
        ? { created_by: null, origin: 'instance_token' }
        : { created_by: pick(authors, n).id, origin: null }),
      due_at: n % 8 === 0 ? toDay(daysFrom(at, 6)) : null,
      steps: history.map(([share, change]) => ({
        at: at + Math.round(minutes * Number(share)) * microsPerMinute,
        change: String(change),
      })),
    }
  })
}

/** Fills in `{customer}`, `{order}`, `{city}`, and `{depot}`. */
const fillIn = (text: string, n: number): string =>
  text
    .replaceAll('{customer}', pick(customers, n).name)
    .replaceAll('{order}', `HL-${20_114 + Math.floor(28_000 * spread(n))}`)
    .replaceAll('{city}', pick(data.cities, n))
    .replaceAll('{depot}', pick(data.depots, n))

/** A planned ticket with its changes, some of which may be in the future. */
export type TicketPlan = Omit<ReturnType<typeof planTickets>[number], 'tags'> & { readonly tags: readonly string[] }

/** A ticket change as stored in its history. */
interface TicketChange {
  readonly at: Micros
  readonly kind: 'changed' | 'resolved' | 'reopened'
  readonly changes: Changes
  /** Null for a repeated error report. */
  readonly by: number | null
  readonly status: string
}

export type StoredTicket = ReturnType<typeof makeTicket>

/** Stores tickets with their numbers, search terms, and histories, in creation order. */
export async function storeTickets(company: Company, plans: readonly TicketPlan[]): Promise<readonly StoredTicket[]> {
  const { app, workspace: workspace_id, now } = company
  const ordered = await withIds(app, 'tickets', plans)
  const tickets = ordered.map((plan, index) => makeTicket(company, { ...plan, number: index + 1 }))
  const rows = tickets.map(({ row }) => row)
  await insertRows(app, 'tickets', rows)
  const resolved = rows.flatMap(({ resolved_at }) => resolved_at ?? [])
  const hours = Map.groupBy(resolved, (at) => Math.floor(at / microsPerHour))
  const counts = [...hours].map(([hour, { length: tickets }]) => ({ workspace_id, hour, tickets }))
  await insertRows(app, 'resolved_counts', counts)
  await insertRows(app, 'ticket_counters', [{ workspace_id, last_number: rows.length }])
  await indexCreatedTickets(app, rows)
  const changes = tickets.flatMap(({ row: { id }, changes }) => changes.map((change) => ({ ...change, ticket_id: id })))
  const history = byTime(changes).map(({ at, ticket_id, kind, changes, by }) => ({
    workspace_id,
    ticket_id,
    kind,
    changes: JSON.stringify(changes),
    at,
    actor_kind: by === null ? 'error_report' : 'user',
    actor_id: by,
  }))
  await insertRows(app, 'ticket_history', history)
  // Instead of computing the next due time, this triggers the check, which finds it.
  app.store.afterCommit(() => app.dueSignal.scheduleAt(now))
  return tickets
}

function makeTicket(company: Company, { team, steps, at, tags, ...plan }: TicketPlan & { id: number; number: number }) {
  const { now, workspace: workspace_id } = company
  const agent = pick(peopleOf(company, [team]), plan.number)
  const colleague = pick(peopleOf(company, ['Support', 'Engineering']), plan.number)
  let state = { status: 'open', assigned_to: null as number | null, resolved_at: null as Micros | null }
  const changes = steps
    .filter((step) => step.at <= now)
    .flatMap(({ at, change }): TicketChange[] => {
      const isHandedOver = change === 'handed over'
      const status = isHandedOver ? state.status : change
      const patch = { status, assigned_to: isHandedOver ? colleague.id : (state.assigned_to ?? agent.id) }
      const fields = diff(state, patch)?.fields
      if (fields === undefined) return []
      const by = change === 'open' ? null : (state.assigned_to ?? agent.id)
      const kind = getKind(state.status, status)
      state = { ...state, ...patch, ...(kind === 'changed' ? {} : { resolved_at: kind === 'resolved' ? at : null }) }
      return [{ at, kind, changes: fields, by, status }]
    })
  const minutes = getMinutes(plan.priority)
  const responseDue = at + minutes.first_response_minutes * microsPerMinute
  const resolutionDue = at + minutes.resolution_minutes * microsPerMinute
  const isAnswered = changes[0] !== undefined && changes[0].at <= responseDue
  const row = {
    ...plan,
    ...state,
    workspace_id,
    tags: JSON.stringify(tags),
    created_at: at,
    updated_at: changes.at(-1)?.at ?? at,
    first_responded_at: changes[0]?.at ?? null,
    first_response_due_at: responseDue,
    resolution_due_at: resolutionDue,
    first_response_breached_at: breachedAt(now, isAnswered ? undefined : responseDue),
    resolution_breached_at: breachedAt(now, missedAt(resolutionDue, changes)),
  }
  return { row, changes }
}

function getKind(from: string, to: string): TicketChange['kind'] {
  if (isResolved(from) === isResolved(to)) return 'changed'
  return isResolved(to) ? 'resolved' : 'reopened'
}

/** When a due time passed with the ticket unresolved, or when a reopened ticket missed it. */
function missedAt(dueAt: Micros, changes: readonly TicketChange[]): Micros | undefined {
  const before = changes.findLast(({ at }) => at <= dueAt)?.status ?? 'open'
  return isResolved(before) ? changes.find(({ at, status }) => at > dueAt && !isResolved(status))?.at : dueAt
}

/** The platform detects it within a second. */
const breachedAt = (now: Micros, missedAt: Micros | undefined): Micros | null =>
  missedAt === undefined || missedAt > now ? null : Math.min(now, missedAt + microsPerSecond / 4)
