import type { Generated } from 'kysely'

/** How fast tickets of a priority must be answered and resolved. */
export interface SlaPoliciesTable {
  workspace_id: number
  priority: string
  first_response_minutes: number | null
  resolution_minutes: number | null
  updated_at: number
}

export interface AutomationRulesTable {
  id: Generated<number>
  workspace_id: number
  name: string
  trigger_name: string
  /** `all` or `any`: how many conditions must match. */
  match: string
  /** JSON. */
  conditions: string
  /** JSON. */
  actions: string
  enabled: number
  created_at: number
  updated_at: number
}

/** The outcome of one rule run. */
export interface AutomationRunsTable {
  id: Generated<number>
  workspace_id: number
  rule_id: number
  ticket_id: number
  trigger_name: string
  /** `ran`, `not_matched`, `refused` or `too_deep`. */
  outcome: string
  detail: string
  ran_at: number
}
