import type { Action, RuleTrigger } from '@service/contract/admin/automation-input'
import type { AutomationBudget, TicketRef, TxApp } from '../../context.ts'
import { ApiError } from '../../core/errors.ts'
import { postMessage } from '../messages/service.ts'
import { createTask } from '../tasks/service.ts'
import { addTag, changeTicket, findTicketFacts } from '../tickets/facts-service.ts'
import { type ConditionInput, matches } from './conditions.ts'
import * as queries from './queries.ts'
import type { Rule } from './rule-cache.ts'

// A rule's action can trigger another rule, which can trigger the first one again. These limits end the recursion.
const deepest = 3
const mostActions = 100

/** Runs the workspace's rules that match the trigger, oldest rule first. Returns whether one of them acted. */
export async function runRules(app: TxApp, rules: readonly Rule[], occasion: Occasion): Promise<boolean> {
  const { trigger, ticket } = occasion
  const automation = app.automation ?? { depth: 0, used: { actions: 0, logged: new Set<string>() } }
  const triggered = rules.filter((rule) => rule.trigger === trigger)
  let acted = false
  let current = triggered.length === 0 ? undefined : await findTicketFacts(app, ticket)
  for (const rule of triggered) {
    if (!(await runRule({ ...app, automation }, rule, { ...occasion, current }))) continue
    acted = true
    current = await findTicketFacts(app, ticket)
  }
  return acted
}

type RunningApp = TxApp & Required<Pick<TxApp, 'automation'>>

interface Considered extends Occasion {
  /** The ticket as it is now. */
  readonly current: Awaited<ReturnType<typeof findTicketFacts>>
}

async function runRule(app: RunningApp, rule: Rule, { current, ...occasion }: Considered): Promise<boolean> {
  if (current === undefined || !matches({ ...current.facts, ...occasion.facts }, rule)) {
    await note(app, rule, { occasion, outcome: 'not_matched', detail: 'Its conditions do not match.' })
    return false
  }
  const { depth, used } = app.automation
  const exceeded = exceededLimit(app.automation, rule, occasion)
  if (exceeded !== undefined) {
    await note(app, rule, { occasion, outcome: 'too_deep', detail: exceeded })
    return false
  }
  used.actions += rule.actions.length
  used.logged.add(logKey(rule, occasion, 'ran'))
  const deeper: TxApp = { ...app, automation: { depth: depth + 1, used }, actor: { kind: 'rule', id: rule.id } }
  const results: string[] = []
  for (const action of rule.actions)
    results.push(await attempt(() => perform(deeper, action, { ...occasion, texts: current.texts })))
  const refused = results.some((result) => result.startsWith('Refused'))
  await insertRun(app, rule, { occasion, outcome: refused ? 'refused' : 'ran', detail: results.join(' ') })
  return true
}

/** Why the limits stop this rule; undefined if they do not. */
function exceededLimit({ depth, used }: AutomationBudget, rule: Rule, occasion: Occasion): string | undefined {
  if (used.logged.has(logKey(rule, occasion, 'ran'))) return 'A rule runs once per ticket and change.'
  if (depth >= deepest) return `Rules can trigger other rules at most ${deepest} levels deep.`
  if (used.actions + rule.actions.length > mostActions) return `One change triggers at most ${mostActions} actions.`
  return undefined
}

const logKey = (rule: Rule, { ticket }: Occasion, outcome: Outcome) => `${outcome}:${rule.id}:${ticket.id}`

/** A refused action (for example, the assignee left) is logged and must not roll back the ticket. */
async function attempt(action: () => Promise<string>): Promise<string> {
  try {
    return await action()
  } catch (refusal) {
    if (refusal instanceof ApiError) return `Refused: ${refusal.message}`
    throw refusal
  }
}

type Outcome = 'ran' | 'not_matched' | 'refused' | 'too_deep'

interface Run {
  readonly occasion: Occasion
  readonly outcome: Outcome
  readonly detail: string
}

/** Logs why a rule did not run, once per ticket and change. */
async function note(app: RunningApp, rule: Rule, run: Run): Promise<void> {
  const { logged } = app.automation.used
  const key = logKey(rule, run.occasion, run.outcome)
  if (logged.has(key)) return
  logged.add(key)
  await insertRun(app, rule, run)
}

const longestDetail = 4_000

function insertRun(app: TxApp, rule: Rule, { occasion, outcome, detail }: Run): Promise<unknown> {
  return queries.insertRun(app.db, {
    workspace_id: occasion.ticket.workspaceId,
    rule_id: rule.id,
    ticket_id: occasion.ticket.id,
    trigger_name: occasion.trigger,
    outcome,
    detail: detail.slice(0, longestDetail),
    ran_at: app.clock.now(),
  })
}

/** What triggered the rules. */
interface Occasion {
  readonly trigger: RuleTrigger
  readonly ticket: TicketRef
  /** Details that the trigger adds to the ticket's fields. */
  readonly facts?: ConditionInput
  /** True while the ticket is being created: `ticket.created` already covers all changes. */
  readonly quiet?: boolean
}

/** Placeholders in a rule's texts: `{{ticket_number}}`, `{{title}}`, `{{status}}`, `{{priority}}`, `{{category}}`. */
type TicketTexts = Readonly<Record<'ticket_number' | 'title' | 'status' | 'priority' | 'category', string>>

interface Scene extends Occasion {
  readonly texts: TicketTexts
}

const longestTitle = 255

/** Performs one action and describes what it did. */
async function perform(app: TxApp, action: Action, scene: Scene): Promise<string> {
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
