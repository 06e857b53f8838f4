import type { Changes } from '@service/contract'
import { type Micros, microsPerDay, microsPerMinute, microsPerSecond, toDay } from '../../../core/clock.ts'
import { indexCreated } from '../../../modules/tickets/search-index.ts'
import type { Company } from './company.ts'
import { idAt, insertRows, takeIds } from './insert-rows.ts'
import type { Random } from './random.ts'
import { type Fate, type Priority, type Step, serviceLevels, stepsOf } from './ticket-course.ts'

/** A ticket that is to be made. */
export interface TicketPlan {
  readonly at: Micros
  readonly title: string
  readonly description: string
  readonly priority: Priority
  readonly category: string
  readonly tags: readonly string[]
  readonly project_id: number | null
  readonly created_by: number | null
  readonly fate: Fate
}

/** What happened to a ticket, as its history has it. */
export interface TicketChange {
  readonly at: Micros
  readonly kind: 'changed' | 'resolved' | 'reopened'
  readonly changes: Changes
  readonly actor: Step['actor']
  /** The ticket's status after it. */
  readonly status: string
}

/** A promise of the service level that was broken. */
interface TicketBreach {
  readonly level: 'first_response' | 'resolution'
  readonly at: Micros
}

export interface StoredTicket extends TicketPlan {
  readonly id: number
  readonly number: number
  readonly status: string
  readonly changes: readonly TicketChange[]
  readonly breaches: readonly TicketBreach[]
}

/** Who takes up tickets of a category; what is not named here is for support. */
const departments: Readonly<Record<string, readonly string[]>> = {
  bug: ['Engineering'],
  error: ['Engineering'],
  git_issue: ['Engineering'],
  integration: ['Engineering'],
  performance: ['Engineering'],
  operations: ['Engineering'],
  delivery: ['Dispatch', 'Support'],
  routing: ['Dispatch', 'Engineering'],
  customs: ['Dispatch'],
  fleet: ['Warehouse'],
  hardware: ['Warehouse', 'Engineering'],
  warehouse: ['Warehouse'],
  facility: ['Warehouse'],
  billing: ['Finance'],
  sales: ['Sales'],
}

export interface StoredTickets {
  /** The oldest first. */
  readonly tickets: readonly StoredTicket[]
  /** What became of a plan. */
  ticketOf(plan: TicketPlan): StoredTicket
}

/** Stores tickets with their numbers, tags, words and histories, in the order in which they were made. */
export async function storeTickets(company: Company, plans: readonly TicketPlan[]): Promise<StoredTickets> {
  const { app, workspace } = company
  const random = company.random('ticket courses')
  const ordered = plans.toSorted((a, b) => a.at - b.at)
  const ids = await takeIds(app, 'tickets', ordered.length)
  const made = ordered.map((plan, index) =>
    makeTicket(company, random, { plan, id: idAt(ids, index), number: index + 1 }),
  )
  const rows = made.map(({ row }) => row)
  await insertRows(app, 'tickets', rows)
  await insertRows(app, 'ticket_counters', [{ workspace_id: workspace, last_number: made.length }])
  await indexCreated(app, rows)
  const tickets = made.map(({ ticket }) => ticket)
  await storeHistory(company, tickets)
  // The first due time that lies ahead is not looked for: the clock is told to look, and finds it.
  app.store.afterCommit(() => app.dueSignal.scheduleAt(company.now))
  const byPlan = new Map(ordered.map((plan, index) => [plan, tickets[index]]))
  return {
    tickets,
    ticketOf(plan) {
      const ticket = byPlan.get(plan)
      if (ticket === undefined) throw new Error(`The ticket '${plan.title}' was not made.`)
      return ticket
    },
  }
}

function storeHistory({ app, workspace }: Company, tickets: readonly StoredTicket[]): Promise<void> {
  const entries = tickets.flatMap(({ id, changes }) => changes.map((change) => ({ ...change, ticket_id: id })))
  return insertRows(
    app,
    'ticket_history',
    entries
      .toSorted((a, b) => a.at - b.at)
      .map(({ ticket_id, kind, changes, actor, at }) => ({
        workspace_id: workspace,
        ticket_id,
        kind,
        changes: JSON.stringify(changes),
        actor_kind: actor.kind,
        actor_id: actor.id,
        at,
      })),
  )
}

function makeTicket(
  { workspace, now, people }: Company,
  random: Random,
  { plan, id, number }: { readonly plan: TicketPlan; readonly id: number; readonly number: number },
) {
  const { at, priority, category, fate, tags, ...texts } = plan
  const team = people.filter(({ department }) => (departments[category] ?? ['Support']).includes(department))
  const course = { random, at, priority, fate, agent: random.pick(team), other: random.pick(team) }
  const steps = stepsOf(course)
    .filter((step) => step.at <= now)
    .toSorted((a, b) => a.at - b.at)
  const state: State = { status: 'open', assigned_to: null, resolved_at: null }
  const changes = steps.map((step) => takeStep(state, step))
  const firstRespondedAt = changes[0]?.at ?? null
  const level = serviceLevels[priority]
  const row = {
    id,
    workspace_id: workspace,
    number,
    title: texts.title,
    description: texts.description,
    priority,
    category,
    created_by: texts.created_by,
    project_id: texts.project_id,
    due_at: random.happens(0.12) ? toDay(at + 6 * microsPerDay) : null,
    tags: JSON.stringify(tags),
    ...state,
    ...promiseOf('first_response', { now, dueAt: at + level.firstResponse * microsPerMinute, metAt: firstRespondedAt }),
    ...promiseOf('resolution', {
      now,
      dueAt: at + level.resolution * microsPerMinute,
      ...resolutionsOf(changes, state),
    }),
    first_responded_at: firstRespondedAt,
    created_at: at,
    updated_at: changes.at(-1)?.at ?? at,
  }
  return { row, ticket: { ...plan, id, number, status: row.status, changes, breaches: breachesOf(row) } }
}

const breachesOf = (row: { first_response_breached_at: Micros | null; resolution_breached_at: Micros | null }) =>
  (['first_response', 'resolution'] as const).flatMap((level): TicketBreach[] => {
    const at = row[`${level}_breached_at`]
    return at === null ? [] : [{ level, at }]
  })

interface State {
  status: string
  assigned_to: number | null
  resolved_at: Micros | null
}

const isResolved = (status: string) => status === 'resolved' || status === 'closed'

/** Changes the state and says what of it is different. */
function takeStep(state: State, { at, patch, actor }: Step): TicketChange {
  const before = { ...state }
  Object.assign(state, patch)
  const moves = isResolved(state.status) !== isResolved(before.status)
  if (moves) state.resolved_at = isResolved(state.status) ? at : null
  const fields = (['status', 'assigned_to'] as const).filter((field) => state[field] !== before[field])
  const changes = Object.fromEntries(fields.map((field) => [field, { from: before[field], to: state[field] }]))
  const move = isResolved(state.status) ? 'resolved' : 'reopened'
  return { at, kind: moves ? move : 'changed', changes, actor, status: state.status }
}

interface Promised {
  readonly now: Micros
  readonly dueAt: Micros
  readonly metAt: Micros | null
  /** When a promise that was met became open again. */
  readonly openAgainAt?: Micros | null
}

/** A due time, and that it passed unmet: the platform notices so within a second. */
function promiseOf<Level extends string>(level: Level, { now, dueAt, metAt, openAgainAt = null }: Promised) {
  const isMet = metAt !== null && metAt <= dueAt
  const missedAt = isMet ? Math.max(dueAt, openAgainAt ?? Number.POSITIVE_INFINITY) : dueAt
  const breachedAt = missedAt > now ? null : Math.min(now, missedAt + microsPerSecond / 4)
  return { [`${level}_due_at`]: dueAt, [`${level}_breached_at`]: breachedAt } as {
    readonly [Column in `${Level}_due_at`]: Micros
  } & { readonly [Column in `${Level}_breached_at`]: Micros | null } // the names are made of the level's
}

/** The first resolution, and the last reopening of a ticket that is not resolved now. */
const resolutionsOf = (changes: readonly TicketChange[], { resolved_at }: State) => ({
  metAt: changes.find(({ kind }) => kind === 'resolved')?.at ?? null,
  openAgainAt: resolved_at === null ? (changes.findLast(({ kind }) => kind === 'reopened')?.at ?? null) : null,
})
