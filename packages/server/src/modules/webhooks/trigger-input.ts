import { type EventName, NewTask, NewTicket, optionalId } from '@service/contract'
import { ProjectPatch, TaskPatch, TicketPatch } from '@service/contract/admin/work-input'
import * as z from 'zod/mini'
import { checkInput } from '../../core/check-input.ts'
import { validation } from '../../core/errors.ts'
import { resourceOf } from '../../core/event-patterns.ts'
import { NewMessage } from '../messages/service.ts'
import { NewProject } from '../projects/service.ts'

/** Fields of the object of an event. With an id, an update is made to that one instead of to a new one. */
export type ObjectOverrides = { readonly id?: number } & Readonly<Record<string, unknown>>

/** Values that the triggered event is to carry, where they stand in it: `{ task: { title: 'Call back' } }`. */
export interface TriggerOverrides {
  readonly ticket?: ObjectOverrides
  readonly task?: ObjectOverrides
  readonly message?: ObjectOverrides
  readonly project?: ObjectOverrides
}

/** What is to happen. */
export type TriggerRequest = { readonly event: EventName; readonly overrides?: TriggerOverrides | undefined }

/** The checked fields of what is triggered, and which object is meant. */
export function fieldsOf<Schema extends z.ZodMiniObject>(
  { event, overrides = {} }: TriggerRequest,
  schema: Schema,
): { readonly id: number | undefined; readonly fields: z.output<Schema> } {
  const subject = resourceOf(event)
  const { id, ...fields } = overrides[subject] ?? {}
  const errors: Record<string, readonly string[]> = {}
  for (const other of Object.keys(overrides)) {
    if (other !== subject) errors[other] = [`The event ${event} has no ${other}.`]
  }
  for (const name of Object.keys(fields)) {
    if (!(name in schema.shape)) errors[`${subject}.${name}`] = [`The ${name} of a ${subject} cannot be set.`]
  }
  if (Object.keys(errors).length > 0) throw validation(errors)
  return { id: checkInput(Id, { id }).id ?? undefined, fields: checkInput(schema, fields) }
}

const Id = z.object({ id: optionalId })

/** What may be set of a new one, beside what the recipe fills in. */
export const settable = {
  ticket: z.partial(NewTicket),
  task: z.partial(NewTask),
  message: z.partial(z.omit(NewMessage, { workspace_id: true })),
  project: z.partial(z.omit(NewProject, { workspace_id: true })),
} as const

/** What may be changed of one that is there. */
export const changeable = { ticket: TicketPatch, task: TaskPatch, project: ProjectPatch } as const
