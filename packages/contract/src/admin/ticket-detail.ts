import * as z from 'zod/mini'
import { day, instant, integerId, Named, orNull } from '../fields.ts'
import { Ticket } from '../tickets.ts'

/** One promise of a service level. */
const SlaClock = z.object({ due_at: instant, met_at: orNull(instant), breached_at: orNull(instant) })

/** Something that happened to a ticket. */
export const TicketTimelineEntry = z.object({
  at: instant,
  /** `created`, `changed`, `resolved`, `reopened`, `rule_ran`, `rule_refused`, `sla_breached` or `error_reported`. */
  kind: z.string(),
  /** Who or what did it, where that is known: a `user`, a `rule`, or an `error_report`. */
  by: orNull(z.object({ kind: z.string(), id: orNull(integerId), name: orNull(z.string()) })),
  /** Per field; null where nothing of the ticket's own changed. */
  changes: orNull(z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))),
  /** What a rule did, which promise was broken, or how many reports came that day. */
  detail: orNull(z.string()),
})

/** A ticket with everything that is known of it. */
export const TicketDetail = z.extend(Ticket, {
  description: orNull(z.string()),
  tags: z.array(z.string()),
  due_at: orNull(day),
  project_id: orNull(integerId),
  project: orNull(Named),
  resolved_at: orNull(instant),
  /** Null where no promise was made. */
  sla: z.object({ first_response: orNull(SlaClock), resolution: orNull(SlaClock) }),
  /** The error whose reports are counted on it. */
  error_report: orNull(z.object({ id: integerId, count: z.int(), last_seen_at: instant })),
  /** The issue that it was made for. */
  git_issue: orNull(
    z.object({
      provider: z.string(),
      repository: orNull(z.string()),
      issue: orNull(z.int()),
      url: orNull(z.string()),
    }),
  ),
  /** What happened, the oldest first; of changes and of rules the newest 200 each. */
  timeline: z.array(TicketTimelineEntry),
})
export type TicketDetail = z.infer<typeof TicketDetail>

/** What an example of a ticket has beyond the list. */
export const exampleDetail = {
  description: 'The total becomes negative when a coupon exceeds the price.',
  tags: ['checkout', 'regression'],
  due_at: '2026-12-01',
  project_id: null,
  project: null,
  resolved_at: null,
  sla: {
    first_response: {
      due_at: '2026-11-20T19:51:53.123456Z',
      met_at: '2026-11-20T19:02:10.000417Z',
      breached_at: null,
    },
    resolution: null,
  },
  error_report: { id: 5, count: 3, last_seen_at: '2026-11-20T19:02:10.000417Z' },
  git_issue: null,
  timeline: [
    {
      at: '2026-11-20T18:51:53.123456Z',
      kind: 'created',
      by: { kind: 'user', id: 15, name: 'Mateo Ruiz' },
      changes: null,
      detail: null,
    },
    {
      at: '2026-11-20T19:02:10.000417Z',
      kind: 'changed',
      by: { kind: 'rule', id: 3, name: 'Escalate checkout faults' },
      changes: { priority: { from: 'medium', to: 'high' } },
      detail: null,
    },
  ],
}
