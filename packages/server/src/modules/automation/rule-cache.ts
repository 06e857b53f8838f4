import type { Action, Condition, RuleTrigger } from '@service/contract/admin/automation-input'
import type { App } from '../../context.ts'
import type { Store } from '../../store/store.ts'
import * as queries from './queries.ts'
import type { SlaPoliciesTable } from './table.ts'

/** An enabled rule, parsed. */
export interface Rule {
  readonly id: number
  readonly name: string
  readonly trigger: RuleTrigger
  readonly match: 'all' | 'any'
  readonly conditions: readonly Condition[]
  readonly actions: readonly Action[]
}

/** The enabled rules and SLA policies of one workspace. */
export interface CompiledRules {
  readonly rules: readonly Rule[]
  readonly policies: readonly SlaPoliciesTable[]
}

// Every ticket creation reads these. On SQLite this process is the only writer, so the cache is valid until it
// writes. On PostgreSQL another node may have written, so they are read each time.
const caches = new WeakMap<Store, Map<number, CompiledRules>>()

export async function getCompiledRules(app: App, workspaceId: number): Promise<CompiledRules> {
  if (app.store.dialect === 'postgres') return compileRules(app, workspaceId)
  const cache = caches.get(app.store) ?? new Map<number, CompiledRules>()
  caches.set(app.store, cache)
  const cached = cache.get(workspaceId)
  if (cached !== undefined) return cached
  const compiled = await compileRules(app, workspaceId)
  cache.set(workspaceId, compiled)
  return compiled
}

/** Call this after a change. Until the commit, the old rules apply. */
export function invalidateRules(app: App, workspaceId: number): void {
  app.store.afterCommit(() => caches.get(app.store)?.delete(workspaceId))
}

async function compileRules(app: App, workspaceId: number): Promise<CompiledRules> {
  const rows = await queries.listRules(app.db, workspaceId)
  return {
    rules: rows.filter(({ enabled }) => enabled !== 0).map(toRule),
    policies: await queries.listPolicies(app.db, workspaceId),
  }
}

function toRule(row: queries.RuleRow): Rule {
  return {
    id: row.id,
    name: row.name,
    trigger: row.trigger_name as RuleTrigger, // validated by createRule
    match: row.match === 'any' ? 'any' : 'all',
    conditions: JSON.parse(row.conditions),
    actions: JSON.parse(row.actions),
  }
}
