import { NewTask, NewTicket } from '@service/contract'
import type { Action } from '@service/contract/admin/automation-input'
import { TicketPatch } from '@service/contract/admin/work-input'
import { parseInstant } from '@service/intake/sanitize/instant'
import * as z from 'zod/mini'
import type { TxApp } from '../../../context.ts'
import { formatInstant } from '../../../core/clock.ts'
import { notFound, validation } from '../../../core/errors.ts'
import { createRule, NewRule, NewSlaPolicy, setSlaPolicy } from '../../../modules/automation/service.ts'
import { findMember } from '../../../modules/members/service.ts'
import { createProject, NewProject } from '../../../modules/projects/service.ts'
import { createTask } from '../../../modules/tasks/service.ts'
import { createTicket, getCreated } from '../../../modules/tickets/service.ts'
import { updateTicket } from '../../../modules/tickets/update-service.ts'
import { defineFactory, pinnedInstant } from '../define-factory.ts'
import { pinTime } from '../factory-context.ts'
import { sample } from '../sample.ts'

export const project = defineFactory({
  kind: 'project',
  shape: z.partial(z.omit(NewProject, { workspace_id: true })).shape,
  make: (app, fields, n) => createProject(app, { ...fields, name: fields.name ?? sample.project(n) }),
})

export const ticket = defineFactory({
  kind: 'ticket',
  shape: {
    ...z.partial(z.omit(NewTicket, { assigned_to: true, project_id: true })).shape,
    /** Any status except `open` is a change after the creation, at `updated_at`. */
    status: TicketPatch.shape.status,
    updated_at: pinnedInstant,
  },
  relations: { assigned_to: 'member', project_id: 'project', created_by: 'member' },
  needs: ['created_by'],
  async make(app, { workspace_id, created_by, status, updated_at, title, ...fields }, n) {
    requireAfterCreation(app, updated_at)
    const author = await findAuthor(app, workspace_id, created_by)
    const ticket = { ...fields, title: title ?? sample.ticket(n) }
    const created = await createTicket(app, { workspaceId: workspace_id, author, ticket })
    if (!status || status === created.status) return created
    const at = { workspaceId: workspace_id, id: created.id }
    await updateTicket(pinTime(app, updated_at), at, { status })
    return getCreated(app, workspace_id, created.id)
  },
})

function requireAfterCreation({ clock }: TxApp, updatedAt: string | undefined): void {
  const at = updatedAt === undefined ? null : parseInstant(updatedAt)
  const createdAt = clock.now()
  if (at === null || at >= createdAt) return
  throw validation({
    updated_at: [`The ticket is created at ${formatInstant(createdAt)}, so it cannot have changed before.`],
  })
}

const related = { project_id: true, ticket_id: true, parent_id: true, assigned_to: true } as const

export const task = defineFactory({
  kind: 'task',
  shape: z.partial(z.omit(NewTask, related)).shape,
  relations: {
    project_id: 'project',
    ticket_id: 'ticket',
    parent_id: 'task',
    assigned_to: 'member',
    created_by: 'member',
  },
  needs: ['project_id', 'created_by'],
  async make(app, { workspace_id, created_by, title, ...fields }, n) {
    const author = await findAuthor(app, workspace_id, created_by)
    return createTask(app, { workspaceId: workspace_id, author, task: { ...fields, title: title ?? sample.task(n) } })
  },
})

async function findAuthor(app: TxApp, workspaceId: number, userId: number | null | undefined) {
  if (userId === null || userId === undefined) return null
  const member = await findMember(app, workspaceId, userId)
  if (member === undefined) throw notFound('member', userId)
  return member
}

/** The SLA targets of a priority. An omitted limit is not set. */
export const slaPolicy = defineFactory({
  kind: 'slaPolicy',
  shape: z.partial(z.omit(NewSlaPolicy, { workspace_id: true })).shape,
  make: (app, { priority = 'high', first_response_minutes = null, resolution_minutes = null, workspace_id }) =>
    setSlaPolicy(app, { workspace_id, priority, first_response_minutes, resolution_minutes }),
})

const addsTag: Action[] = [{ type: 'add_tag', tag: 'new' }]

/** A rule. By default it tags every new ticket. */
export const rule = defineFactory({
  kind: 'rule',
  shape: {
    ...z.omit(NewRule, { workspace_id: true }).shape,
    ...z.partial(z.pick(NewRule, { name: true, trigger: true, actions: true })).shape,
  },
  make: (app, { name, trigger = 'ticket_created', actions = addsTag, ...fields }, n) =>
    createRule(app, { ...fields, name: name ?? `Rule ${n}`, trigger, actions }),
})
