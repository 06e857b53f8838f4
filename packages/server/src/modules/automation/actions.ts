import type { Action, RuleTrigger } from '@service/contract/admin/automation-input'
import type { TicketRef, TxApp } from '../../core/context.ts'
import { postMessage } from '../messages/service.ts'
import { createTask } from '../tasks/service.ts'
import { addTag, changeTicket } from '../tickets/sla.ts'
import type { ConditionInput } from './conditions.ts'

/** What sets rules off. */
export interface Occasion {
  readonly trigger: RuleTrigger
  readonly ticket: TicketRef
  /** What the trigger adds to the ticket's own facts. */
  readonly facts?: ConditionInput
  /** True while the ticket is being created: its one event tells of everything. */
  readonly quiet?: boolean
}

/** What texts of a rule may name: `{{ticket_number}}`, `{{title}}`, `{{status}}`, `{{priority}}`, `{{category}}`. */
export type TicketTexts = Readonly<Record<'ticket_number' | 'title' | 'status' | 'priority' | 'category', string>>

interface Scene extends Occasion {
  readonly texts: TicketTexts
}

const longestTitle = 255

/** Does one action and says what it did. */
export async function perform(app: TxApp, action: Action, scene: Scene): Promise<string> {
  const { ticket, quiet = false } = scene
  switch (action.type) {
    case 'assign':
      await changeTicket(app, ticket, { patch: { assigned_to: action.user_id }, quiet })
      return action.user_id === null ? 'Unassigned.' : `Assigned to user ${action.user_id}.`
    case 'set_priority':
      await changeTicket(app, ticket, { patch: { priority: action.priority }, quiet })
      return `Priority set to ${action.priority}.`
    case 'set_category':
      await changeTicket(app, ticket, { patch: { category: action.category }, quiet })
      return `Category set to ${action.category}.`
    case 'set_status':
      await changeTicket(app, ticket, { patch: { status: action.status }, quiet })
      return `Status set to ${action.status}.`
    case 'add_tag':
      await addTag(app, ticket, action.tag)
      return `Tag ${action.tag} added.`
    case 'create_task':
      return makeTask(app, action, scene)
    case 'post_message':
      return post(app, action, scene)
  }
}

async function makeTask(
  app: TxApp,
  action: Extract<Action, { type: 'create_task' }>,
  { ticket, texts }: Scene,
): Promise<string> {
  const title = fillIn(action.title, texts).slice(0, longestTitle)
  const task = { title, ticket_id: ticket.id, assigned_to: action.assigned_to }
  const { id } = await createTask(app, { workspaceId: ticket.workspaceId, author: null, task })
  return `Task ${id} created.`
}

async function post(
  app: TxApp,
  action: Extract<Action, { type: 'post_message' }>,
  { ticket, texts }: Scene,
): Promise<string> {
  const message = { workspace_id: ticket.workspaceId, channel_id: action.channel_id, body: fillIn(action.body, texts) }
  const { id } = await postMessage(app, message)
  return `Message ${id} posted.`
}

function fillIn(text: string, texts: TicketTexts): string {
  return text.replace(/\{\{ *(\w+) *\}\}/g, (whole, name: string) => texts[name as keyof TicketTexts] ?? whole)
}
