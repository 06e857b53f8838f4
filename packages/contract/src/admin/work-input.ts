import * as z from 'zod/mini'
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
import { idFilter, pageQuery } from './pages.ts'

// Apart from the routes, because factories check their input by these too and need nothing else of them.

/** Which tickets of a list: those that pass all of these. */
export const TicketQuery = z.object({
  ...pageQuery,
  status: z.optional(requiredText(maxOpenValueLength)),
  priority: z.optional(requiredText(maxOpenValueLength)),
  assigned_to: idFilter,
  project_id: idFilter,
  tag: z.optional(requiredText(maxTagLength)),
  /** Words of the number, the title or the description, all of which must be there. */
  search: z.optional(requiredText(maxTitleLength)),
})

/** A ticket made by administration: by any member of the workspace, or by nobody. */
export const TicketInput = z.extend(NewTicket, { created_by: optionalId })
export type TicketInput = z.input<typeof TicketInput>

/** What may change of a ticket. A field left out stays; null empties it. */
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

/** Which tasks of a list: those that pass all of these. */
export const TaskQuery = z.object({
  ...pageQuery,
  status: z.optional(requiredText(maxOpenValueLength)),
  assigned_to: idFilter,
  project_id: idFilter,
  ticket_id: idFilter,
})

/** A task made by administration: by any member of the workspace, or by nobody. */
export const TaskInput = z.extend(NewTask, { created_by: optionalId })
export type TaskInput = z.input<typeof TaskInput>

/** What may change of a task. A field left out stays; null empties it. */
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

/** What may change of a project. A field left out stays; null empties it. */
export const ProjectPatch = z.object({ name: z.optional(requiredText(maxTitleLength)), ...projectFields })
export type ProjectPatch = z.input<typeof ProjectPatch>
