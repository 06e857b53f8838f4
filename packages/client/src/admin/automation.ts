import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { ById, Changed, InWorkspace, List, Page, PageQuery } from './page.ts'

/** What sets a rule off. */
export type RuleTrigger = 'ticket_created' | 'ticket_updated' | 'sla_breached' | 'error_reported'

/** What conditions may look at. The fields of an error are there when one was reported, `sla` when one was breached. */
export type ConditionField =
  | 'title'
  | 'description'
  | 'status'
  | 'priority'
  | 'category'
  | 'assigned_to'
  | 'created_by'
  | 'project_id'
  | 'tags'
  | 'changed'
  | 'sla'
  | 'exception'
  | 'message'
  | 'app'
  | 'environment'
  | 'framework'
  | 'severity'
  | 'count'

export type Condition =
  | {
      field: ConditionField
      operator: 'equals' | 'not_equals' | 'contains' | 'not_contains' | 'starts_with'
      value: string | number
    }
  | { field: ConditionField; operator: 'greater_than' | 'less_than'; value: number }
  | { field: ConditionField; operator: 'in' | 'not_in'; value: (string | number)[] }
  | { field: ConditionField; operator: 'is_set' | 'is_not_set' }

/** What a rule does to its ticket. `{{ticket_number}}`, `{{title}}` … in texts are replaced by the ticket's. */
export type Action =
  | { type: 'assign'; user_id: number | null }
  | { type: 'set_priority'; priority: string }
  | { type: 'set_category'; category: string }
  | { type: 'set_status'; status: string }
  | { type: 'add_tag'; tag: string }
  | { type: 'create_task'; title: string; assigned_to?: number | null | undefined }
  | { type: 'post_message'; channel_id: number; body: string }

/** What happens to tickets by itself: on a trigger, where the conditions hold, the actions are done. */
export interface Rule {
  id: number
  name: string
  trigger: RuleTrigger
  match: 'all' | 'any'
  conditions: Condition[]
  actions: Action[]
  enabled: boolean
  created_at: string
  updated_at: string
}

/** What may change of a rule. A field left out stays. */
export interface RulePatch {
  name?: string | undefined
  /** Whether all conditions must hold or any of them. */
  match?: 'all' | 'any' | undefined
  /** At most 20. */
  conditions?: Condition[] | undefined
  /** 1 to 20. */
  actions?: Action[] | undefined
  enabled?: boolean | undefined
}

export interface RuleInput extends RulePatch {
  name: string
  trigger: RuleTrigger
  actions: Action[]
}

/** What a rule did, or why it did nothing. */
export interface AutomationRun {
  id: number
  rule_id: number
  ticket_id: number
  trigger: string
  /** `ran`, `not_matched`, `refused` or `too_deep`. */
  outcome: string
  detail: string
  ran_at: string
}

/** A rule to be tried. */
export interface RuleToTry extends RulePatch {
  trigger: RuleTrigger
  actions: Action[]
  /** Over how many of the newest tickets, 1 to 1000. Default 200. */
  last?: number | undefined
}

/** What a rule would do to the newest tickets. */
export interface DryRun {
  /** How many tickets there were to look at. */
  looked_at: number
  /** On how many of them it would act. */
  matched: number
  /** How many it would change. */
  changed: number
  tickets: {
    id: number
    ticket_number: string
    title: string
    /** Per field of the ticket. */
    changes: Record<string, { from: unknown; to: unknown }>
    /** Tasks and messages that it would make, and actions that would be refused. */
    notes: string[]
  }[]
}

/** The rules of a workspace. */
export interface Rules {
  /** Newest first. Those of one trigger run in the order of their ids. */
  list(at: InWorkspace, query?: PageQuery, options?: CallOptions): Call<Page<Rule>>
  /** Runs in the transaction of what sets it off. All conditions must hold unless `match` is `any`. */
  create(at: InWorkspace, rule: RuleInput, options?: CreateOptions): Call<Rule>
  get(at: ById, options?: CallOptions): Call<Rule>
  update(at: ById, patch: RulePatch, options?: CallOptions): Call<Rule>
  /** What a rule would do to the newest tickets as they are now. Nothing changes. */
  dryRun(at: InWorkspace, rule: RuleToTry, options?: CreateOptions): Call<DryRun>
  /** The same for a rule that is there, enabled or not. */
  dryRunStored(at: ById, input?: { last?: number | undefined }, options?: CreateOptions): Call<DryRun>
  /** The log of what it did goes with it. */
  delete(at: ById, options?: CallOptions): Call<Changed>
  /** What rules did and why, newest first. */
  runs(at: InWorkspace, query?: PageQuery, options?: CallOptions): Call<Page<AutomationRun>>
}

/** How fast tickets of a priority must be answered and resolved, in minutes; null for no promise. */
export interface SlaPolicy {
  priority: string
  first_response_minutes: number | null
  resolution_minutes: number | null
}

export interface SlaPolicyInput {
  first_response_minutes?: number | null | undefined
  resolution_minutes?: number | null | undefined
}

/** The service levels of a workspace. */
export interface SlaPolicies {
  /** One entry per priority that has a promise. */
  list(at: InWorkspace, options?: CallOptions): Call<List<SlaPolicy>>
  /** Null where the priority has no promise. */
  get(at: InWorkspace & { priority: string }, options?: CallOptions): Call<SlaPolicy>
  /** Replaces the promise of a priority; it holds for tickets made from now on. */
  update(at: InWorkspace & { priority: string }, policy: SlaPolicyInput, options?: CallOptions): Call<SlaPolicy>
}
