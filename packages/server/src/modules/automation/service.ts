import type * as z from 'zod/mini'
import { notFound } from '../../api-error.ts'
import type { App } from '../../context.ts'
import { toInstant } from '../../instants.ts'
import type { Page } from '../../page.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { getWorkspace } from '../workspaces/service.ts'
import * as queries from './queries.ts'
import type { NewRule, RulePatch, SlaPolicyInput } from './rule.ts'
import { forgetRuleBook } from './rule-book.ts'

export async function createRule(app: App, { workspace_id, trigger, ...rule }: z.output<typeof NewRule>) {
  const row = await inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
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
  forgetRuleBook(app, workspace_id)
  return toRule(row)
}

export async function updateRule(app: App, at: { workspaceId: number; id: number }, patch: z.output<typeof RulePatch>) {
  const row = await inTransaction(app, async (app) => {
    const { name, match, enabled } = patch
    const changed = {
      ...(name === undefined ? {} : { name }),
      ...(match === undefined ? {} : { match }),
      ...(enabled === undefined ? {} : { enabled: toInteger(enabled) }),
      ...toJson(patch),
    }
    return queries.updateRule(app.db, at, { ...changed, updated_at: app.clock.now() })
  })
  forgetRuleBook(app, at.workspaceId)
  if (row === undefined) throw notFound('rule', at.id)
  return toRule(row)
}

function toJson({ conditions, actions }: Pick<z.output<typeof RulePatch>, 'conditions' | 'actions'>) {
  return {
    ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
    ...(actions === undefined ? {} : { actions: JSON.stringify(actions) }),
  }
}

export async function listRules(app: App, workspaceId: number) {
  return (await queries.listRules(app.db, workspaceId)).map(toRule)
}

/** Sets how fast tickets of a priority must be answered and resolved; it holds for tickets made from now on. */
export async function setSlaPolicy(app: App, input: SlaPolicyInput): Promise<SlaPolicyInput> {
  const { workspace_id, priority, first_response_minutes = null, resolution_minutes = null } = input
  await inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    const row = { workspace_id, priority, first_response_minutes, resolution_minutes, updated_at: app.clock.now() }
    await queries.upsertPolicy(app.db, row)
  })
  forgetRuleBook(app, workspace_id)
  return { workspace_id, priority, first_response_minutes, resolution_minutes }
}

export async function listSlaPolicies(app: App, workspaceId: number) {
  const rows = await queries.listPolicies(app.db, workspaceId)
  return rows.map(({ priority, first_response_minutes, resolution_minutes }) => ({
    priority,
    first_response_minutes,
    resolution_minutes,
  }))
}

/** What rules did and why, newest first. */
export async function listRuns(app: App, workspaceId: number, page: Page) {
  const rows = await queries.listRuns(app.db, workspaceId, page)
  return rows.map(({ workspace_id: _, trigger_name, ran_at, ...row }) => ({
    ...row,
    trigger: trigger_name,
    ran_at: toInstant(ran_at),
  }))
}

function toRule({
  workspace_id: _,
  trigger_name,
  conditions,
  actions,
  enabled,
  created_at,
  updated_at,
  ...row
}: queries.RuleRow) {
  return {
    ...row,
    trigger: trigger_name,
    conditions: JSON.parse(conditions),
    actions: JSON.parse(actions),
    enabled: toBoolean(enabled),
    created_at: toInstant(created_at),
    updated_at: toInstant(updated_at),
  }
}
