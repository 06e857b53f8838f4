import * as z from 'zod/mini'
import { maxAddressLength } from '../email-address.ts'
import {
  maxOpenValueLength,
  maxTagLength,
  maxTextLength,
  maxTitleLength,
  optionalDate,
  optionalId,
  optionalOpen,
  optionalTags,
  requiredText,
  text,
} from '../fields.ts'
import { NewTask } from '../tasks.ts'
import { NewTicket } from '../tickets.ts'
import type { priorities, projectStatuses, taskStatuses, ticketStatuses } from '../values.ts'
import { idFilter, idFilterOrNone, maxCount, maxCountUpTo, searchFilter, sortableQuery } from './pages.ts'

// Separate from the routes, because factories also check their input with these schemas and need nothing else.

/** Due dates of unresolved tickets, in the workspace's time zone. `week` is today and the next six days. */
export const dueFilters = ['overdue', 'today', 'week'] as const
/** Unmet SLA targets of unresolved tickets. Those at risk are over or due within eight hours. */
export const slaFilters = ['at_risk', 'over'] as const
export const ticketSorts = ['priority', 'sla', 'due', 'updated'] as const

const ticketFilters = {
  assigned_to: idFilterOrNone,
  project_id: idFilter,
  /** `active` matches all tickets that are neither resolved nor closed. */
  status: z.optional(requiredText(maxOpenValueLength)),
  priority: z.optional(requiredText(maxOpenValueLength)),
  tag: z.optional(requiredText(maxTagLength)),
  due: z.optional(z.enum(dueFilters)),
  sla: z.optional(z.enum(slaFilters)),
  /** Words of the number, the title or the description, or their beginnings. All of them must occur. */
  search: z.optional(requiredText(maxTitleLength)),
}

/** Filters and sorts a list of tickets. A ticket must match all filters. */
export const TicketQuery = z.object({
  ...sortableQuery(ticketSorts),
  ...ticketFilters,
  /** An e-mail address in the title or the description. */
  email: z.optional(requiredText(maxAddressLength)),
})

/** Filters the tickets to count. With a filter, counting stops at `up_to`. */
export const TicketCountQuery = z.object({
  ...ticketFilters,
  up_to: z._default(z.coerce.number().check(z.int(), z.positive(), z.maximum(maxCountUpTo)), maxCount),
})

/** Creates a ticket. The author defaults to the caller. Only admins may name another member, or null for no author. */
export const TicketInput = z.extend(NewTicket, { created_by: optionalId })
export type TicketInput = z.input<typeof TicketInput>

/** Changes to a ticket. Omitted fields keep their values; null clears a field. */
export const TicketPatch = z.object({
  title: z.optional(requiredText(maxTitleLength)),
  description: text(maxTextLength),
  status: optionalOpen<(typeof ticketStatuses)[number]>(),
  priority: optionalOpen<(typeof priorities)[number]>(),
  category: optionalOpen<never>(),
  assigned_to: optionalId,
  project_id: optionalId,
  due_at: optionalDate,
  tags: optionalTags,
})
export type TicketPatch = z.input<typeof TicketPatch>

/** Filters a list of tasks. A task must match all of them. */
export const TaskQuery = z.object({
  ...sortableQuery(['priority', 'due']),
  search: searchFilter,
  status: z.optional(requiredText(maxOpenValueLength)),
  priority: z.optional(requiredText(maxOpenValueLength)),
  assigned_to: idFilterOrNone,
  project_id: idFilter,
  ticket_id: idFilter,
})
export type TaskQuery = z.output<typeof TaskQuery>

/** Creates a task. The author defaults to the caller. Only admins may name another member, or null for no author. */
export const TaskInput = z.extend(NewTask, { created_by: optionalId })
export type TaskInput = z.input<typeof TaskInput>

/** Changes to a task. Omitted fields keep their values; null clears a field. */
export const TaskPatch = z.object({
  title: z.optional(requiredText(maxTitleLength)),
  description: text(maxTextLength),
  status: optionalOpen<(typeof taskStatuses)[number]>(),
  priority: optionalOpen<(typeof priorities)[number]>(),
  project_id: optionalId,
  ticket_id: optionalId,
  assigned_to: optionalId,
  due_at: optionalDate,
})
export type TaskPatch = z.input<typeof TaskPatch>

const projectFields = {
  status: optionalOpen<(typeof projectStatuses)[number]>(),
  color: z.nullish(z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/))),
  starts_at: optionalDate,
  due_at: optionalDate,
}

export const ProjectInput = z.object({ name: requiredText(maxTitleLength), ...projectFields })
export type ProjectInput = z.input<typeof ProjectInput>

/** Changes to a project. Omitted fields keep their values; null clears a field. */
export const ProjectPatch = z.object({ name: z.optional(requiredText(maxTitleLength)), ...projectFields })
export type ProjectPatch = z.input<typeof ProjectPatch>
