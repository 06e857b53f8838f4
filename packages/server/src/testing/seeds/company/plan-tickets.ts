import { type Micros, microsPerMinute } from '../../../core/clock.ts'
import { type Company, hourOf, isWorkday } from './company.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { type Fate, type Priority, serviceLevels } from './ticket-course.ts'
import { cities, customers, depots, type TicketText, ticketTexts } from './ticket-texts.ts'
import type { TicketPlan } from './tickets.ts'

/** Plans what people write, day by day. */
export function planTickets(
  { calendar, now, people, random: streamOf }: Company,
  projects: readonly number[],
): readonly TicketPlan[] {
  const random = streamOf('tickets')
  const usual = calendar.flatMap((day) => {
    const count = isWorkday(day) ? random.whole(3, 4) : random.whole(0, 2)
    if (day.ago === 0) return []
    return Array.from({ length: count }, () => hourOf(day, 6.5 + 12 * random.fraction()))
  })
  const plan = (at: Micros, fate: Fate, priority?: Priority) => planOf({ random, people, projects, at, fate, priority })
  return [...usual.map((at) => plan(at, { kind: 'usual' })), ...planToday(now, plan)]
}

/** Whatever the hour, today has tickets, and some whose time is nearly over. */
function planToday(
  now: Micros,
  plan: (at: Micros, fate: Fate, priority?: Priority) => TicketPlan,
): readonly TicketPlan[] {
  const ago = (minutes: number) => now - Math.round(minutes * microsPerMinute)
  const almost = (priority: Priority, share: number) => ago(serviceLevels[priority].resolution * share)
  return [
    plan(almost('urgent', 0.87), { kind: 'in_work' }, 'urgent'),
    plan(almost('high', 0.95), { kind: 'in_work' }, 'high'),
    plan(almost('high', 0.8), { kind: 'in_work' }, 'high'),
    plan(almost('medium', 0.93), { kind: 'in_work' }, 'medium'),
    plan(almost('low', 0.96), { kind: 'in_work' }, 'low'),
    plan(ago(94), { kind: 'unanswered' }, 'high'),
    plan(ago(63), { kind: 'told', resolvedAt: ago(9) }, 'high'),
    plan(ago(41), { kind: 'unanswered' }, 'medium'),
    plan(ago(22), { kind: 'unanswered' }, 'urgent'),
    plan(ago(6), { kind: 'unanswered' }, 'medium'),
  ]
}

interface Occasion {
  readonly random: Random
  readonly people: readonly Person[]
  readonly projects: readonly number[]
  readonly at: Micros
  readonly fate: Fate
  readonly priority: Priority | undefined
}

function planOf({ random, people, projects, at, fate, priority }: Occasion): TicketPlan {
  const fitting = ticketTexts.filter(({ priorities }) => priority === undefined || priorities.includes(priority))
  const text = random.pick(fitting)
  const fillIn = filler(random)
  return {
    at,
    title: fillIn(text.title),
    description: fillIn(text.description),
    priority: priority ?? (random.pick(text.priorities) as Priority), // the texts name these only
    category: text.category,
    tags: text.tags,
    project_id: projectOf(random, text, projects),
    created_by: random.happens(0.08) ? null : random.pick(people.filter(writesTickets)).id,
    fate,
  }
}

function filler(random: Random): (text: string) => string {
  const values: Readonly<Record<string, string>> = {
    customer: random.pick(customers),
    order: `HL-${random.whole(20_114, 48_990)}`,
    city: random.pick(cities),
    depot: random.pick(depots),
  }
  return (text) => text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

const projectOf = (random: Random, { project }: TicketText, projects: readonly number[]): number | null =>
  project === null || random.happens(0.4) ? null : (projects[project] ?? null)

const writesTickets = ({ department }: Person) => ['Support', 'Sales', 'Dispatch', 'Warehouse'].includes(department)
