import {
  integerId,
  maxTextLength,
  maxTitleLength,
  NewTask,
  optionalDate,
  optionalId,
  optionalOpen,
  type priorities,
  requiredText,
  type taskStatuses,
  text,
} from '@service/contract'
import * as z from 'zod/mini'

/** A task made by administration: for any workspace, by any of its members or by nobody. */
export const NewTaskIn = z.extend(NewTask, { workspace_id: integerId, created_by: optionalId })
export type NewTaskIn = z.input<typeof NewTaskIn>

/** What may change. A field left out stays; null empties it. */
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
