import { integerId, maxOpenValueLength, requiredText } from '@service/contract'
import {
  type Action,
  type Condition,
  RuleInput,
  type RulePatch,
  type RuleTrigger,
  SlaPolicyInput,
} from '@service/contract/admin/automation-input'
import * as z from 'zod/mini'
import type { App, TicketRef } from '../../context.ts'
import { formatInstant } from '../../core/clock.ts'
import { notFound, validation } from '../../core/errors.ts'
import type { Page } from '../../core/pagination.ts'
import { requireReferences } from '../../core/references.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { requireRoom } from '../../store/row-limits.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { findTicketNumbers } from '../tickets/facts-service.ts'
import { getWorkspace } from '../workspaces/service.ts'
import { toReference } from './action-reference.ts'
import * as queries from './queries.ts'
import { invalidateRules } from './rule-cache.ts'

// The API inputs plus the workspace id, for callers without a path.

export const NewRule = z.extend(RuleInput, { workspace_id: integerId })
export type NewRule = z.input<typeof NewRule>

export const NewSlaPolicy = z.extend(SlaPolicyInput, {
  workspace_id: integerId,
  priority: requiredText(maxOpenValueLength),
})
export type NewSlaPolicy = z.input<typeof NewSlaPolicy>

export async function createRule(app: App, { workspace_id, trigger, ...rule }: z.output<typeof NewRule>) {
  const row = await inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    await requireActionReferences(app, workspace_id, rule.actions)
    await requireRoom(app, 'rules', workspace_id)
    const now = app.clock.now()
    const lists = { conditions: JSON.stringify(rule.conditions), actions: JSON.stringify(rule.actions) }
    const columns = { name: rule.name, match: rule.match, enabled: toInteger(rule.enabled), ...lists }
    return queries.insertRule(app.db, {
      workspace_id,
      trigger_name: trigger,
      ...columns,
      created_at: now,
      updated_at: now,
    })
  })
  invalidateRules(app, workspace_id)
  return toRule(row)
}

export async function updateRule(app: App, ref: RowRef, patch: z.output<typeof RulePatch>) {
  const row = await inTransaction(app, async (app) => {
    const { name, match, enabled, actions = [] } = patch
    await requireActionReferences(app, ref.workspaceId, actions)
    const changed = {
      ...(name === undefined ? {} : { name }),
      ...(match === undefined ? {} : { match }),
      ...(enabled === undefined ? {} : { enabled: toInteger(enabled) }),
      ...toJson(patch),
    }
    return queries.updateRule(app.db, ref, { ...changed, updated_at: app.clock.now() })
  })
  invalidateRules(app, ref.workspaceId)
  if (row === undefined) throw notFound('rule', ref.id)
  return toRule(row)
}

/** Rejects users and channels that are not in the workspace. */
async function requireActionReferences(app: App, workspaceId: number, actions: readonly Action[]): Promise<void> {
  const references = actions.flatMap((action, index) => {
    const reference = toReference(app, workspaceId, action)
    return reference === undefined ? [] : [[`actions.${index}.${reference.field}`, reference] as const]
  })
  await requireReferences(Object.fromEntries(references))
}

function toJson({ conditions, actions }: Pick<z.output<typeof RulePatch>, 'conditions' | 'actions'>) {
  return {
    ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
    ...(actions === undefined ? {} : { actions: JSON.stringify(actions) }),
  }
}

/** Automation rules, newest first. */
export async function listRules(app: App, workspaceId: number, page: Page) {
  return (await queries.listRulesPage(app.db, workspaceId, page)).map(toRule)
}

export async function getRule(app: App, { workspaceId, id }: RowRef) {
  const row = await queries.findRule(app.db, workspaceId, id)
  if (row === undefined) throw notFound('rule', id)
  return toRule(row)
}

/** Also deletes the rule's run log. */
export async function deleteRule(app: App, { workspaceId, id }: RowRef): Promise<{ readonly id: number }> {
  await inTransaction(app, async (app) => {
    await getRule(app, { workspaceId, id })
    await queries.deleteRule(app.db, workspaceId, id)
  })
  invalidateRules(app, workspaceId)
  return { id }
}

/** Sets how fast tickets of a priority must be answered and resolved, or ends that. Applies to tickets created from now on. */
export async function setSlaPolicy(app: App, input: NewSlaPolicy) {
  const { workspace_id, priority, first_response_minutes = null, resolution_minutes = null } = input
  if (first_response_minutes !== null && resolution_minutes !== null && resolution_minutes < first_response_minutes)
    throw validation({
      resolution_minutes: [
        'The resolution_minutes field must not be less than the first response: enter more minutes, or a shorter first response.',
      ],
    })
  await inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    if (first_response_minutes === null && resolution_minutes === null) {
      await queries.deletePolicy(app.db, workspace_id, priority)
      return
    }
    const isNew = !(await queries.listPolicies(app.db, workspace_id)).some((policy) => policy.priority === priority)
    if (isNew) await requireRoom(app, 'sla_policies', workspace_id)
    const row = { workspace_id, priority, first_response_minutes, resolution_minutes, updated_at: app.clock.now() }
    await queries.upsertPolicy(app.db, row)
  })
  invalidateRules(app, workspace_id)
  return { priority, first_response_minutes, resolution_minutes }
}

export async function listSlaPolicies(app: App, workspaceId: number) {
  const rows = await queries.listPolicies(app.db, workspaceId)
  return rows.map(({ priority, first_response_minutes, resolution_minutes }) => ({
    priority,
    first_response_minutes,
    resolution_minutes,
  }))
}

/** The SLA policy of a priority; null if there is none. */
export async function getSlaPolicy(
  app: App,
  { workspaceId, priority }: { readonly workspaceId: number; readonly priority: string },
) {
  const known = (await listSlaPolicies(app, workspaceId)).find((policy) => policy.priority === priority)
  return known ?? { priority, first_response_minutes: null, resolution_minutes: null }
}

/** Rule runs with their outcomes, newest first. */
export async function listRuns(
  app: App,
  workspaceId: number,
  { outcome, ...page }: Page & { readonly outcome?: 'matched' | undefined },
) {
  const rows = await queries.listRuns(app.db, { workspaceId, isMatched: outcome === 'matched' }, page)
  const numbers = await findTicketNumbers(app, workspaceId, [...new Set(rows.map(({ ticket_id }) => ticket_id))])
  return rows.map(({ workspace_id: _, trigger_name, ran_at, ...row }) => ({
    ...row,
    ticket_number: numbers.get(row.ticket_id) ?? '',
    trigger: trigger_name,
    ran_at: formatInstant(ran_at),
  }))
}

function toRule({
  workspace_id: _,
  trigger_name,
  match,
  conditions,
  actions,
  enabled,
  created_at,
  updated_at,
  ...row
}: queries.RuleRow) {
  return {
    ...row,
    trigger: trigger_name as RuleTrigger, // written only by createRule and updateRule
    match: match as 'all' | 'any',
    conditions: JSON.parse(conditions) as Condition[],
    actions: JSON.parse(actions) as Action[],
    enabled: toBoolean(enabled),
    created_at: formatInstant(created_at),
    updated_at: formatInstant(updated_at),
  }
}

/** Rule runs on a ticket, newest first, with the names of existing rules. */
export async function findTicketRuns(app: App, ticket: TicketRef, limit: number) {
  const rules = await queries.listRules(app.db, ticket.workspaceId)
  return {
    runs: await queries.listTicketRuns(app.db, ticket, limit),
    ruleNames: new Map(rules.map(({ id, name }) => [id, name])),
  }
}
