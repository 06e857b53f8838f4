import { type EventName, type EventOf, resourceOf } from '@service/contract'
import { TriggerInput } from '@service/contract/admin/deliveries'
import type { App, TxApp } from '../../context.ts'
import { checkInput } from '../../core/check-input.ts'
import { conflict, validation } from '../../core/errors.ts'
import { findLastEvent } from '../../delivery/outbox/outbox.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { findOrCreateFirstChannel, postMessage } from '../messages/service.ts'
import { createProject, updateProject } from '../projects/service.ts'
import { createTaskBy, updateTask } from '../tasks/service.ts'
import { createTicketBy } from '../tickets/service.ts'
import { updateTicket } from '../tickets/update-service.ts'
import { changeable, checkFields, settable, type TriggerRequest } from './trigger-input.ts'

/** Validates a trigger request; throws 422. Ids are checked later, with the other fields. */
export const checkTrigger = (input: unknown): TriggerRequest => checkInput(TriggerInput, input) as TriggerRequest

interface TriggeredBy {
  readonly workspaceId: number
  /** The author of created objects. */
  readonly authorId?: number | undefined
}

/** Triggers an event by creating or changing a real object, and returns the emitted payload. */
export function trigger<Name extends EventName>(
  app: App,
  by: TriggeredBy,
  request: TriggerRequest & { readonly event: Name },
): Promise<{ readonly [Each in Name]: EventOf<Each> }[Name]> {
  return inTransaction(app, async (app) => {
    const before = await findLastEvent(app, by.workspaceId, request.event)
    for (const action of actionsFor[request.event]) {
      await action(app, by, request)
      const last = await findLastEvent(app, by.workspaceId, request.event)
      if (last !== undefined && last.id !== before?.id) return JSON.parse(last.body) // the platform's event
    }
    throw conflict(`Nothing has changed, so there is no ${request.event}: override a field with another value.`)
  })
}

type TriggerAction = (app: TxApp, by: TriggeredBy, request: TriggerRequest) => Promise<unknown>

const defaultTitle = 'A triggered event'

const newTicket = (app: TxApp, { workspaceId, authorId: created_by }: TriggeredBy, fields: object) =>
  createTicketBy(app, { workspaceId, created_by, ticket: { title: defaultTitle, ...fields } })
const newTask = (app: TxApp, { workspaceId, authorId: created_by }: TriggeredBy, fields: object) =>
  createTaskBy(app, { workspaceId, created_by, task: { title: defaultTitle, ...fields } })
const newProject = (app: TxApp, { workspaceId: workspace_id }: TriggeredBy, fields: object) =>
  createProject(app, { workspace_id, name: defaultTitle, ...fields })

const createNewTicket: TriggerAction = (app, by, request) =>
  newTicket(app, by, forNew(request, checkFields(request, settable.ticket)))

const createNewTask: TriggerAction = (app, by, request) =>
  newTask(app, by, forNew(request, checkFields(request, settable.task)))

const createMessage: TriggerAction = async (app, { workspaceId: workspace_id, authorId: author_id }, request) => {
  const { channel_id, body = defaultTitle, ...fields } = forNew(request, checkFields(request, settable.message))
  const channel = channel_id ?? (await findOrCreateFirstChannel(app, workspace_id))
  return postMessage(app, { workspace_id, author_id, body, ...fields, channel_id: channel })
}

/** Changes the given object, or a new one. The default change applies only if the request has no fields. */
const changeTicket =
  (defaults: object): TriggerAction =>
  async (app, by, request) => {
    const { id, fields } = checkFields(request, changeable.ticket)
    const target = await findOrCreateTarget(by.workspaceId, id, () => newTicket(app, by, {}))
    return updateTicket(app, target, withDefaults(fields, defaults))
  }

const changeTask =
  (defaults: object): TriggerAction =>
  async (app, by, request) => {
    const { id, fields } = checkFields(request, changeable.task)
    const target = await findOrCreateTarget(by.workspaceId, id, () => newTask(app, by, {}))
    return updateTask(app, target, withDefaults(fields, defaults))
  }

const changeProject =
  (defaults: object): TriggerAction =>
  async (app, by, request) => {
    const { id, fields } = checkFields(request, changeable.project)
    const target = await findOrCreateTarget(by.workspaceId, id, () => newProject(app, by, {}))
    return updateProject(app, target, withDefaults(fields, defaults))
  }

/** Reopens a ticket that is already resolved, then resolves it again. */
const resolveTicket =
  ({ reopens }: { reopens: boolean }): TriggerAction =>
  async (app, by, request) => {
    const { id, fields } = checkFields(request, changeable.ticket)
    const target = await findOrCreateTarget(by.workspaceId, id, () => newTicket(app, by, {}))
    if (reopens) await updateTicket(app, target, { status: 'open' })
    return updateTicket(app, target, { status: 'resolved', ...fields })
  }

/** What emits each event. The second action runs if the first one changed nothing. */
const actionsFor: Readonly<Record<EventName, readonly TriggerAction[]>> = {
  'ticket.created': [createNewTicket],
  'ticket.updated': [changeTicket({ priority: 'high' }), changeTicket({ priority: 'low' })],
  'ticket.resolved': [resolveTicket({ reopens: false }), resolveTicket({ reopens: true })],
  'task.created': [createNewTask],
  'task.updated': [changeTask({ status: 'in_progress' }), changeTask({ status: 'review' })],
  'message.created': [createMessage],
  'project.updated': [changeProject({ status: 'on_hold' }), changeProject({ status: 'active' })],
}

function forNew<Fields>({ event }: TriggerRequest, { id, fields }: { id: number | undefined; fields: Fields }): Fields {
  if (id === undefined) return fields
  const subject = resourceOf(event)
  throw validation({ [`${subject}.id`]: [`${event} is about a new ${subject}, whose id is not known beforehand.`] })
}

const findOrCreateTarget = async (
  workspaceId: number,
  id: number | undefined,
  create: () => Promise<{ id: number }>,
): Promise<RowRef> => ({
  workspaceId,
  id: id ?? (await create()).id,
})

const withDefaults = <Fields extends object>(fields: Fields, defaults: object): Fields =>
  Object.keys(fields).length > 0 ? fields : { ...fields, ...defaults }
