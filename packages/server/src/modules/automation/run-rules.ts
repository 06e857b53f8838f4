import type { TxApp } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { findTicketFacts } from '../tickets/sla.ts'
import { type Occasion, perform } from './actions.ts'
import { matches } from './conditions.ts'
import * as queries from './queries.ts'
import { compiledRulesOf, type Rule } from './rule-cache.ts'

/** A rule's action can set off another rule, and that one the first again; here it ends. */
const deepest = 3

/** Runs the rules of a trigger, in the order in which they were made. True when one of them acted. */
export async function runRules(app: TxApp, occasion: Occasion): Promise<boolean> {
  const { trigger, ticket } = occasion
  const { rules } = await compiledRulesOf(app, ticket.workspaceId)
  let acted = false
  for (const rule of rules) if (rule.trigger === trigger) acted = (await runRule(app, rule, occasion)) || acted
  return acted
}

async function runRule(app: TxApp, rule: Rule, occasion: Occasion): Promise<boolean> {
  const depth = app.automationDepth ?? 0
  if (depth >= deepest) {
    await note(app, rule, { occasion, outcome: 'too_deep', detail: `Rules set off by rules end after ${deepest}.` })
    return false
  }
  const ticket = await findTicketFacts(app, occasion.ticket)
  if (ticket === undefined || !matches({ ...ticket.facts, ...occasion.facts }, rule)) {
    await note(app, rule, { occasion, outcome: 'not_matched', detail: 'Its conditions do not hold.' })
    return false
  }
  const deeper: TxApp = { ...app, automationDepth: depth + 1, actor: { kind: 'rule', id: rule.id } }
  const results: string[] = []
  for (const action of rule.actions)
    results.push(await attempt(() => perform(deeper, action, { ...occasion, texts: ticket.texts })))
  const refused = results.some((result) => result.startsWith('Refused'))
  await note(app, rule, { occasion, outcome: refused ? 'refused' : 'ran', detail: results.join(' ') })
  return true
}

/** An action that the platform refuses (an assignee who left, say) must not undo the ticket; the log tells of it. */
async function attempt(action: () => Promise<string>): Promise<string> {
  try {
    return await action()
  } catch (refusal) {
    if (refusal instanceof ApiError) return `Refused: ${refusal.message}`
    throw refusal
  }
}

interface Run {
  readonly occasion: Occasion
  readonly outcome: 'ran' | 'not_matched' | 'refused' | 'too_deep'
  readonly detail: string
}

const longestDetail = 4_000

function note(app: TxApp, rule: Rule, { occasion, outcome, detail }: Run): Promise<unknown> {
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
