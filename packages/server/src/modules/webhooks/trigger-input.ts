import { type EventName, type EventResource, NewTask, NewTicket, optionalId, resourceOf } from '@service/contract'
import { ProjectPatch, TaskPatch, TicketPatch } from '@service/contract/admin/work-input'
import * as z from 'zod/mini'
import { checkInput } from '../../core/check-input.ts'
import { validation } from '../../core/errors.ts'
import { NewMessage } from '../messages/service.ts'
import { NewProject } from '../projects/service.ts'

/** Fields of the event's object. With an id, an existing object is updated instead of a new one. */
export type ObjectOverrides = { readonly id?: number } & Readonly<Record<string, unknown>>

/** The event to trigger and its values. */
export interface TriggerRequest {
  readonly event: EventName
  readonly overrides?: { readonly [Resource in EventResource]?: ObjectOverrides } | undefined
}

/** The validated fields and the object they belong to. */
export function checkFields<Schema extends z.ZodMiniObject>(
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
    if (!Object.hasOwn(schema.shape, name))
      errors[`${subject}.${name}`] = [`The ${name} of a ${subject} cannot be set.`]
  }
  if (Object.keys(errors).length > 0) throw validation(errors)
  return { id: checkInput(Id, { id }).id ?? undefined, fields: checkInput(schema, fields) }
}

const Id = z.object({ id: optionalId })

/** Fields that may be set on a new object, in addition to the defaults. */
export const settable = {
  ticket: z.partial(NewTicket),
  task: z.partial(NewTask),
  message: z.partial(z.omit(NewMessage, { workspace_id: true })),
  project: z.partial(z.omit(NewProject, { workspace_id: true })),
} as const

/** Fields that may be changed on an existing object. */
export const changeable = { ticket: TicketPatch, task: TaskPatch, project: ProjectPatch } as const
