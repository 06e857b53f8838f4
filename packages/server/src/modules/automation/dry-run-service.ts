import { type Changes, maxTags } from '@service/contract'
import type { Action } from '@service/contract/admin/automation-input'
import type { App } from '../../context.ts'
import { nextSlice } from '../../core/next-turn.ts'
import { listTicketErrorFacts } from '../error-reports/service.ts'
import { listNewestFacts, type NewestTicket } from '../tickets/facts-service.ts'
import { describeRefusal, toReference } from './action-reference.ts'
import { type ConditionInput, startComparing } from './conditions.ts'
import type { Rule } from './rule-cache.ts'
import { getRule } from './service.ts'

// Evaluates a rule against current tickets without writing anything: no events, deliveries, or ticket numbers, and
// no write lock. Rules that this rule would trigger are not followed.

type DryRule = Pick<Rule, 'trigger' | 'match' | 'conditions' | 'actions'>

interface DryRun {
  readonly workspaceId: number
  readonly rule: DryRule
  readonly last: number
}

type DryRunTicket = Effects & NewestTicket['shown'] & { readonly id: number }

/** Which of the newest tickets a rule would have acted on, and how. */
export async function dryRunRule(app: App, { workspaceId, rule, last }: DryRun) {
  const newest = await listNewestFacts(app, workspaceId, last)
  const triggerFacts = await listTriggerFacts(app, newest, { workspaceId, rule })
  const refusals = await findRefusals(app, workspaceId, rule.actions)
  const tickets: DryRunTicket[] = []
  for (const ticket of newest) {
    await nextSlice()
    // Every ticket compares with one rule only.
    const matches = startComparing({ steps: Number.POSITIVE_INFINITY })
    const facts = (triggerFacts.get(ticket.id) ?? []).find((extra) => matches({ ...ticket.facts, ...extra }, rule))
    if (facts !== undefined)
      tickets.push({ id: ticket.id, ...ticket.shown, ...effectsOn(ticket, rule.actions, refusals) })
  }
  return {
    looked_at: newest.length,
    matched: tickets.length,
    changed: tickets.filter(({ changes }) => Object.keys(changes).length > 0).length,
    tickets,
  }
}

/** Dry-runs a stored rule, enabled or not. */
export async function dryRunStored(
  app: App,
  { workspaceId, id, last }: { workspaceId: number; id: number; last: number },
) {
  return dryRunRule(app, { workspaceId, rule: await getRule(app, { workspaceId, id }), last })
}

/** How often the trigger would have fired for each ticket, with its details. Tickets without a match are absent. */
async function listTriggerFacts(
  app: App,
  tickets: readonly NewestTicket[],
  { workspaceId, rule: { trigger } }: Pick<DryRun, 'workspaceId' | 'rule'>,
): Promise<ReadonlyMap<number, readonly ConditionInput[]>> {
  switch (trigger) {
    case 'ticket_created':
      return new Map(tickets.map(({ id }) => [id, [{}]]))
    case 'ticket_updated':
      return new Map(tickets.map(({ id, lastChanged }) => [id, lastChanged === null ? [] : [{ changed: lastChanged }]]))
    case 'sla_breached':
      return new Map(tickets.map(({ id, breached }) => [id, breached.map((sla) => ({ sla }))]))
    case 'error_reported':
      return listTicketErrorFacts(app, workspaceId, tickets)
  }
}

/** Actions that the platform would refuse for every ticket. */
async function findRefusals(
  app: App,
  workspaceId: number,
  actions: readonly Action[],
): Promise<ReadonlyMap<Action, string>> {
  const refusals = new Map<Action, string>()
  for (const action of actions) {
    if (action.type === 'create_task') continue // it is created without an assignee who has left
    const { field, id, find } = toReference(app, workspaceId, action) ?? {}
    if (typeof id === 'number' && (await find?.(id)) === undefined)
      refusals.set(action, `The selected ${field} is not in this workspace.`)
  }
  return refusals
}

interface Effects {
  readonly changes: Changes
  /** Other effects, and actions that would be refused. */
  readonly notes: readonly string[]
}

function effectsOn(
  { facts }: NewestTicket,
  actions: readonly Action[],
  refusals: ReadonlyMap<Action, string>,
): Effects {
  const patch: Record<string, unknown> = {}
  const notes: string[] = []
  for (const action of actions) {
    const refusal = refusals.get(action)
    if (refusal !== undefined) notes.push(describeRefusal(action, refusal))
    else if (action.type === 'create_task') notes.push('A task would be created.')
    else if (action.type === 'post_message') notes.push('A message would be posted.')
    else Object.assign(patch, toPatch(action, { ...facts, ...patch }))
  }
  const changed = Object.entries(patch).filter(([field, to]) => !isSame(facts[field as keyof typeof facts], to))
  return {
    changes: Object.fromEntries(
      changed.map(([field, to]) => [field, { from: facts[field as keyof typeof facts], to }]),
    ),
    notes,
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

type PatchAction = Exclude<Action, { type: 'create_task' | 'post_message' }>

function toPatch(action: PatchAction, { tags }: { readonly tags: readonly string[] }): Record<string, unknown> {
  switch (action.type) {
    case 'assign':
      return { assigned_to: action.user_id }
    case 'set_priority':
      return { priority: action.priority }
    case 'set_category':
      return { category: action.category }
    case 'set_status':
      return { status: action.status }
    case 'add_tag':
      return { tags: tags.includes(action.tag) || tags.length >= maxTags ? tags : [...tags, action.tag] }
  }
}
