import type { EventName, EventOf } from '@service/contract'
import { TriggerInput } from '@service/contract/admin/deliveries'
import type { App, TxApp } from '../../context.ts'
import { checkInput } from '../../core/check-input.ts'
import { conflict, validation } from '../../core/errors.ts'
import { resourceOf } from '../../core/event-patterns.ts'
import { findLastEvent } from '../../delivery/outbox/outbox.ts'
import { inTransaction } from '../../store/transaction.ts'
import { createChannel, findFirstChannel, postMessage } from '../messages/service.ts'
import { createProject, updateProject } from '../projects/service.ts'
import { createTaskBy, updateTask } from '../tasks/service.ts'
import { createTicketBy } from '../tickets/service.ts'
import { updateTicket } from '../tickets/update-service.ts'
import { changeable, fieldsOf, settable, type TriggerRequest } from './trigger-input.ts'

/** Validates a trigger request; throws 422. Ids are checked later, with the other fields. */
export const checkTrigger = (input: unknown): TriggerRequest => checkInput(TriggerInput, input) as TriggerRequest

interface TriggeredBy {
  readonly workspaceId: number
  /** The author of created objects. */
  readonly authorId?: number | undefined
}

interface At {
  readonly workspaceId: number
  readonly id: number
}

/** Triggers an event by creating or changing a real object, and returns the emitted payload. */
export function trigger<Name extends EventName>(
  app: App,
  by: TriggeredBy,
  asked: TriggerRequest & { readonly event: Name },
): Promise<{ readonly [Each in Name]: EventOf<Each> }[Name]> {
  return inTransaction(app, async (app) => {
    const before = await findLastEvent(app, by.workspaceId, asked.event)
    for (const attempt of attemptsAt[asked.event]) {
      await attempt(app, by, asked)
      const last = await findLastEvent(app, by.workspaceId, asked.event)
      if (last !== undefined && last.id !== before?.id) return JSON.parse(last.body) // the platform's event
    }
    throw conflict(`Nothing has changed, so there is no ${asked.event}: override a field with another value.`)
  })
}

type Attempt = (app: TxApp, by: TriggeredBy, asked: TriggerRequest) => Promise<unknown>

const made = { title: 'A triggered event', name: 'A triggered event' }

const newTicket = (app: TxApp, { workspaceId, authorId: created_by }: TriggeredBy, fields: object) =>
  createTicketBy(app, { workspaceId, created_by, ticket: { title: made.title, ...fields } })
const newTask = (app: TxApp, { workspaceId, authorId: created_by }: TriggeredBy, fields: object) =>
  createTaskBy(app, { workspaceId, created_by, task: { title: made.title, ...fields } })
const newProject = (app: TxApp, { workspaceId: workspace_id }: TriggeredBy, fields: object) =>
  createProject(app, { workspace_id, name: made.name, ...fields })

const createsTicket: Attempt = (app, by, asked) => newTicket(app, by, forNew(asked, fieldsOf(asked, settable.ticket)))

const createsTask: Attempt = (app, by, asked) => newTask(app, by, forNew(asked, fieldsOf(asked, settable.task)))

const postsMessage: Attempt = async (app, { workspaceId: workspace_id, authorId: author_id }, asked) => {
  const { channel_id, body = 'A triggered event', ...fields } = forNew(asked, fieldsOf(asked, settable.message))
  const channel = channel_id ?? (await anyChannel(app, workspace_id))
  return postMessage(app, { workspace_id, author_id, body, ...fields, channel_id: channel })
}

/** Changes the given object, or a new one. The default change applies only if the request has no fields. */
const changesTicket =
  (usual: object): Attempt =>
  async (app, by, asked) => {
    const { id, fields } = fieldsOf(asked, changeable.ticket)
    const at = await atOf(by.workspaceId, id, () => newTicket(app, by, {}))
    return updateTicket(app, at, orUsual(fields, usual))
  }

const changesTask =
  (usual: object): Attempt =>
  async (app, by, asked) => {
    const { id, fields } = fieldsOf(asked, changeable.task)
    const at = await atOf(by.workspaceId, id, () => newTask(app, by, {}))
    return updateTask(app, at, orUsual(fields, usual))
  }

const changesProject =
  (usual: object): Attempt =>
  async (app, by, asked) => {
    const { id, fields } = fieldsOf(asked, changeable.project)
    const at = await atOf(by.workspaceId, id, () => newProject(app, by, {}))
    return updateProject(app, at, orUsual(fields, usual))
  }

/** Reopens a ticket that is already resolved, then resolves it again. */
const resolvesTicket =
  ({ reopens }: { reopens: boolean }): Attempt =>
  async (app, by, asked) => {
    const { id, fields } = fieldsOf(asked, changeable.ticket)
    const at = await atOf(by.workspaceId, id, () => newTicket(app, by, {}))
    if (reopens) await updateTicket(app, at, { status: 'open' })
    return updateTicket(app, at, { status: 'resolved', ...fields })
  }

/** The attempts for each event. The second one applies if the first changed nothing. */
const attemptsAt: Readonly<Record<EventName, readonly Attempt[]>> = {
  'ticket.created': [createsTicket],
  'ticket.updated': [changesTicket({ priority: 'high' }), changesTicket({ priority: 'low' })],
  'ticket.resolved': [resolvesTicket({ reopens: false }), resolvesTicket({ reopens: true })],
  'task.created': [createsTask],
  'task.updated': [changesTask({ status: 'in_progress' }), changesTask({ status: 'review' })],
  'message.created': [postsMessage],
  'project.updated': [changesProject({ status: 'on_hold' }), changesProject({ status: 'active' })],
}

function forNew<Fields>({ event }: TriggerRequest, { id, fields }: { id: number | undefined; fields: Fields }): Fields {
  if (id === undefined) return fields
  const subject = resourceOf(event)
  throw validation({ [`${subject}.id`]: [`${event} is about a new ${subject}, whose id is not known beforehand.`] })
}

const atOf = async (workspaceId: number, id: number | undefined, make: () => Promise<{ id: number }>): Promise<At> => ({
  workspaceId,
  id: id ?? (await make()).id,
})

const orUsual = <Fields extends object>(fields: Fields, usual: object): Fields =>
  Object.keys(fields).length > 0 ? fields : { ...fields, ...usual }

async function anyChannel(app: TxApp, workspace_id: number): Promise<number> {
  const channel = await findFirstChannel(app, workspace_id)
  return (channel ?? (await createChannel(app, { workspace_id, name: 'general' }))).id
}
