import { type Micros, microsPerHour, microsPerMinute } from '../../../core/clock.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'

/** Minutes to the first answer and to the resolution, by priority. */
export const serviceLevels = {
  urgent: { firstResponse: 30, resolution: 8 * 60 },
  high: { firstResponse: 2 * 60, resolution: 24 * 60 },
  medium: { firstResponse: 8 * 60, resolution: 3 * 24 * 60 },
  low: { firstResponse: 24 * 60, resolution: 7 * 24 * 60 },
} as const

export type Priority = keyof typeof serviceLevels

/** What becomes of a ticket: most are answered and resolved, and the others are there to be looked at. */
export type Fate =
  | { readonly kind: 'usual' }
  /** Taken up, and not resolved by now. */
  | { readonly kind: 'in_work' }
  | { readonly kind: 'unanswered' }
  /** As `usual`, at these times. */
  | { readonly kind: 'told'; readonly resolvedAt: Micros; readonly reopenedAt?: Micros }

/** One change of a ticket. Somebody's, or nobody's where an error report came again. */
export interface Step {
  readonly at: Micros
  readonly patch: { readonly status?: string; readonly assigned_to?: number }
  readonly actor: { readonly kind: 'user' | 'error_report'; readonly id: number | null }
}

interface Course {
  readonly random: Random
  readonly at: Micros
  readonly priority: Priority
  readonly fate: Fate
  /** Who takes the ticket up, and somebody else who may. */
  readonly agent: Person
  readonly other: Person
}

/** What happens to a ticket after its creation, in order; some of it may lie ahead. */
export function stepsOf(course: Course): readonly Step[] {
  const { at, fate, agent } = course
  if (fate.kind === 'unanswered') return []
  const answeredAt = at + answerTakes(course)
  const taken = step(answeredAt, { assigned_to: agent.id, status: 'in_progress' }, agent)
  if (fate.kind === 'in_work') return [taken]
  const resolvedAt =
    fate.kind === 'told' ? fate.resolvedAt : Math.max(at + resolutionOf(course), answeredAt + 15 * microsPerMinute)
  const steps = [taken, ...betweenOf(course, answeredAt, resolvedAt), step(resolvedAt, { status: 'resolved' }, agent)]
  if (fate.kind === 'told' && fate.reopenedAt !== undefined)
    return [...steps, { at: fate.reopenedAt, patch: { status: 'open' }, actor: { kind: 'error_report', id: null } }]
  return [...steps, ...afterwardsOf(course, resolvedAt)]
}

const step = (at: Micros, patch: Step['patch'], { id }: Person): Step => ({ at, patch, actor: { kind: 'user', id } })

/** Never longer than the resolution, where that is told. */
function answerTakes(course: Course): Micros {
  const { at, fate } = course
  const usual = firstResponseOf(course)
  return fate.kind === 'told' ? Math.min(usual, Math.round((fate.resolvedAt - at) * 0.4)) : usual
}

/** In time in nine of ten cases. */
function firstResponseOf({ random, priority }: Course): Micros {
  const share = random.happens(0.9) ? 0.06 + 0.8 * random.fraction() : 1.05 + 0.8 * random.fraction()
  return Math.round(serviceLevels[priority].firstResponse * share * microsPerMinute)
}

function resolutionOf({ random, priority }: Course): Micros {
  const share = shareOfTime(random.fraction(), random.fraction())
  return Math.round(serviceLevels[priority].resolution * share * microsPerMinute)
}

/** Most need a part of the time there is, some a little more, and a few go on for weeks. */
function shareOfTime(kind: number, spread: number): number {
  if (kind < 0.83) return 0.15 + 0.75 * spread
  return kind < 0.97 ? 1.05 + 0.7 * spread : 9 + 12 * spread
}

/** Some wait for the customer for a while, and some go to a colleague. */
function betweenOf({ random, agent, other }: Course, from: Micros, to: Micros): readonly Step[] {
  const when = (share: number) => Math.round(from + (to - from) * share)
  const kind = random.fraction()
  if (kind < 0.2)
    return [step(when(0.25), { status: 'pending' }, agent), step(when(0.7), { status: 'in_progress' }, agent)]
  return kind < 0.32 && other.id !== agent.id ? [step(when(0.3), { assigned_to: other.id }, agent)] : []
}

/** A few come back, and most are closed some days later. */
function afterwardsOf({ random, agent }: Course, resolvedAt: Micros): readonly Step[] {
  const comesBack = random.happens(0.05)
  const backAt = resolvedAt + random.whole(60, 1200) * microsPerMinute
  const again = comesBack
    ? [
        step(backAt, { status: 'in_progress' }, agent),
        step(backAt + random.whole(2, 9) * microsPerHour, { status: 'resolved' }, agent),
      ]
    : []
  const closedAt = resolvedAt + random.whole(50, 96) * microsPerHour
  return random.happens(0.65) ? [...again, step(closedAt, { status: 'closed' }, agent)] : again
}
