import { maxTextLength, maxTitleLength } from '@service/contract'
import type { Action, RuleTrigger } from '@service/contract/admin/automation-input'
import type { AutomationBudget, TicketRef, TxApp } from '../../context.ts'
import { ApiError } from '../../core/errors.ts'
import { nextSlice } from '../../core/next-turn.ts'
import { countStoredDeliveries } from '../../delivery/outbox/outbox.ts'
import { transactionOf } from '../../store/transaction.ts'
import { findMember } from '../members/service.ts'
import { postMessage } from '../messages/service.ts'
import { createTask } from '../tasks/service.ts'
import { addTag, changeTicket, findTicketFacts } from '../tickets/facts-service.ts'
import { describeRefusal } from './action-reference.ts'
import { type ConditionInput, type StepBudget, startComparing } from './conditions.ts'
import * as queries from './queries.ts'
import type { Rule } from './rule-cache.ts'

// A rule's action can trigger another rule, which can trigger the first one again. These limits end the recursion.
const maxDepth = 3
const maxActions = 100

// Every writer waits for the transaction in which rules run, and one transaction may create many tickets or count a
// thousand reports. These limits keep it short. A step is about as long as comparing one character. A delivery to a
// webhook takes longer, but an honest delivery of reports may cause twenty thousand of them.
const maxSteps = 20_000_000
const stepsPerRule = 1_000
const stepsPerAction = 4_000
const stepsPerDelivery = 600

interface Work extends StepBudget {
  /** The rules whose excess is logged. */
  readonly stopped: Set<number>
  /** How many deliveries of the transaction are charged. */
  charged: number
}

const workIn = new WeakMap<object, Work>()

/** What remains for all rules that run in the caller's transaction. */
function remainingWork(app: TxApp): Work {
  const transaction = transactionOf(app)
  const work = workIn.get(transaction) ?? { steps: maxSteps, stopped: new Set(), charged: 0 }
  workIn.set(transaction, work)
  return work
}

/** Runs the workspace's rules that match the trigger, oldest rule first. Returns whether one of them acted. */
export async function runRules(app: TxApp, rules: readonly Rule[], context: TriggerContext): Promise<boolean> {
  const { trigger, ticket } = context
  const triggered = rules.filter((rule) => rule.trigger === trigger)
  if (triggered.length === 0) return false
  const automation = app.automation ?? { depth: 0, used: { actions: 0, logged: new Set<string>() } }
  const work = remainingWork(app)
  const matches = startComparing(work)
  let acted = false
  let current = await findTicketFacts(app, ticket)
  for (const rule of triggered) {
    await nextSlice('first')
    work.steps -= stepsPerRule
    if (!(await runRule({ ...app, automation }, rule, { ...context, current, work, matches }))) continue
    acted = true
    current = await findTicketFacts(app, ticket)
  }
  return acted
}

type RunningApp = TxApp & Required<Pick<TxApp, 'automation'>>

interface RuleContext extends TriggerContext {
  /** The ticket as it is now. */
  readonly current: Awaited<ReturnType<typeof findTicketFacts>>
  readonly work: Work
  readonly matches: ReturnType<typeof startComparing>
}

async function runRule(
  app: RunningApp,
  rule: Rule,
  { current, work, matches, ...context }: RuleContext,
): Promise<boolean> {
  const isMatch = current !== undefined && matches({ ...current.facts, ...context.facts }, rule)
  if (isMatch === undefined) return logStopped(app, rule, { context, work })
  if (current === undefined || !isMatch) {
    await logSkipped(app, rule, { context, outcome: 'not_matched', detail: 'Its conditions do not match.' })
    return false
  }
  const { depth, used } = app.automation
  const exceeded = exceededLimit(app.automation, rule, context)
  if (exceeded !== undefined) {
    await logSkipped(app, rule, { context, outcome: 'too_deep', detail: exceeded })
    return false
  }
  work.steps -= stepsPerAction * rule.actions.length
  if (work.steps < 0) return logStopped(app, rule, { context, work })
  used.actions += rule.actions.length
  used.logged.add(logKey(rule, context, 'ran'))
  const deeper: TxApp = { ...app, automation: { depth: depth + 1, used }, actor: { kind: 'rule', id: rule.id } }
  const results: string[] = []
  const storedBefore = countStoredDeliveries(app)
  for (const action of rule.actions)
    results.push(await performOrRefuse(action, () => perform(deeper, action, { ...context, texts: current.texts })))
  chargeDeliveries(app, work, storedBefore)
  const refused = results.some((result) => result.startsWith('Refused'))
  await insertRun(app, rule, { context, outcome: refused ? 'refused' : 'ran', detail: results.join(' ') })
  return true
}

/** The rules that an action triggers have charged theirs already. */
function chargeDeliveries(app: TxApp, work: Work, storedBefore: number): void {
  const stored = countStoredDeliveries(app)
  work.steps -= stepsPerDelivery * (stored - Math.max(storedBefore, work.charged))
  work.charged = stored
}

/** Why the limits stop this rule; undefined if they do not. */
function exceededLimit({ depth, used }: AutomationBudget, rule: Rule, context: TriggerContext): string | undefined {
  if (used.logged.has(logKey(rule, context, 'ran'))) return 'A rule runs once per ticket and change.'
  if (depth >= maxDepth) return `Rules can trigger other rules at most ${maxDepth} levels deep.`
  if (used.actions + rule.actions.length > maxActions) return `One change triggers at most ${maxActions} actions.`
  return undefined
}

const logKey = (rule: Rule, { ticket }: TriggerContext, outcome: Outcome) => `${outcome}:${rule.id}:${ticket.id}`

/** A refused action (for example, the assignee left) is logged and must not roll back the ticket. */
async function performOrRefuse(action: Action, perform: () => Promise<string>): Promise<string> {
  try {
    return await perform()
  } catch (refusal) {
    if (refusal instanceof ApiError) return describeRefusal(action, refusal.message)
    throw refusal
  }
}

type Outcome = 'ran' | 'not_matched' | 'refused' | 'too_deep'

interface Run {
  readonly context: TriggerContext
  readonly outcome: Outcome
  readonly detail: string
}

/** Logs why a rule did not run, once per ticket and change. */
async function logSkipped(app: RunningApp, rule: Rule, run: Run): Promise<void> {
  const { logged } = app.automation.used
  const key = logKey(rule, run.context, run.outcome)
  if (logged.has(key)) return
  logged.add(key)
  await insertRun(app, rule, run)
}

/** Logs once per transaction that a rule did not run for lack of steps, because even the log takes time. */
async function logStopped(
  app: RunningApp,
  rule: Rule,
  { context, work }: { readonly context: TriggerContext; readonly work: Work },
): Promise<false> {
  if (work.stopped.has(rule.id)) return false
  work.stopped.add(rule.id)
  const detail = `The rules of one request take at most ${maxSteps.toLocaleString('en')} steps: 1 for each compared character, ${stepsPerDelivery} for each delivery to a webhook.`
  await insertRun(app, rule, { context, outcome: 'too_deep', detail })
  return false
}

const maxDetailLength = 4_000

function insertRun(app: TxApp, rule: Rule, { context, outcome, detail }: Run): Promise<unknown> {
  return queries.insertRun(app.db, {
    workspace_id: context.ticket.workspaceId,
    rule_id: rule.id,
    ticket_id: context.ticket.id,
    trigger_name: context.trigger,
    outcome,
    detail: detail.slice(0, maxDetailLength),
    ran_at: app.clock.now(),
  })
}

/** What triggered the rules. */
interface TriggerContext {
  readonly trigger: RuleTrigger
  readonly ticket: TicketRef
  /** Details that the trigger adds to the ticket's fields. */
  readonly facts?: ConditionInput
  /** True while the ticket is being created: `ticket.created` already covers all changes. */
  readonly quiet?: boolean
}

/** Placeholders in a rule's texts: `{{ticket_number}}`, `{{title}}`, `{{status}}`, `{{priority}}`, `{{category}}`. */
type TicketTexts = Readonly<Record<'ticket_number' | 'title' | 'status' | 'priority' | 'category', string>>

interface ActionContext extends TriggerContext {
  readonly texts: TicketTexts
}

/** Performs one action and describes what it did. */
async function perform(app: TxApp, action: Action, context: ActionContext): Promise<string> {
  const { ticket, quiet = false } = context
  switch (action.type) {
    case 'assign':
      await changeTicket(app, ticket, { patch: { assigned_to: action.user_id }, quiet })
      return action.user_id === null ? 'Unassigned.' : `Assigned to ${await findName(app, ticket, action.user_id)}.`
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
      return createRuleTask(app, action, context)
    case 'post_message':
      return postRuleMessage(app, action, context)
  }
}

/** The name of the member to whom the ticket was assigned. */
const findName = async (app: TxApp, { workspaceId }: TicketRef, userId: number) =>
  (await findMember(app, workspaceId, userId))?.name

async function createRuleTask(
  app: TxApp,
  action: Extract<Action, { type: 'create_task' }>,
  { ticket, texts }: ActionContext,
): Promise<string> {
  const title = fillPlaceholders(action.title, texts).slice(0, maxTitleLength)
  const { workspaceId } = ticket
  const assignee = action.assigned_to ?? null
  // The work remains when a member leaves.
  const hasLeft = assignee !== null && (await findMember(app, workspaceId, assignee)) === undefined
  const task = { title, ticket_id: ticket.id, assigned_to: hasLeft ? null : assignee }
  await createTask(app, { workspaceId, author: null, task })
  return `Task “${title}” created${hasLeft ? ' without its assignee, who has left the workspace' : ''}.`
}

async function postRuleMessage(
  app: TxApp,
  action: Extract<Action, { type: 'post_message' }>,
  { ticket, texts }: ActionContext,
): Promise<string> {
  const message = {
    workspace_id: ticket.workspaceId,
    ticket_id: ticket.id,
    channel_id: action.channel_id,
    body: fillPlaceholders(action.body, texts).slice(0, maxTextLength),
  }
  const { channel } = await postMessage(app, message)
  return `Message posted in ${channel.name}.`
}

function fillPlaceholders(text: string, texts: TicketTexts): string {
  return text.replace(/\{\{ *(\w+) *\}\}/g, (whole, name: string) =>
    Object.hasOwn(texts, name) ? texts[name as keyof TicketTexts] : whole,
  )
}
