import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import {
  Action,
  Condition,
  DryRunInput,
  RuleInput,
  RulePatch,
  RuleToTry,
  ruleTriggers,
  SlaPolicyInput,
} from './automation-input.ts'
import { pageOf, pageQuery, wholeListOf } from './pages.ts'
import { create, list, read, remove, update, workspace } from './route-kinds.ts'

/** An automation: when its trigger fires and its conditions hold, the rule runs its actions on the ticket. */
export const Rule = z.object({
  id: integerId,
  name: z.string(),
  trigger: z.enum(ruleTriggers),
  match: z.enum(['all', 'any']),
  conditions: z.array(Condition),
  actions: z.array(Action),
  enabled: z.boolean(),
  created_at: instant,
  updated_at: instant,
})

export type Rule = z.output<typeof Rule>

const minutes = z.nullable(z.int())

/** How fast tickets of a priority must be answered and resolved. Null means no target. */
export const SlaPolicy = z.object({
  priority: z.string(),
  first_response_minutes: minutes,
  resolution_minutes: minutes,
})

export type SlaPolicy = z.output<typeof SlaPolicy>

/** A run of a rule: what it did, or why it did nothing. */
export const AutomationRun = z.object({
  id: integerId,
  rule_id: integerId,
  ticket_id: integerId,
  ticket_number: z.string(),
  trigger: z.string(),
  /** `ran`, `not_matched`, `refused` or `too_deep`. */
  outcome: z.string(),
  detail: z.string(),
  ran_at: instant,
})

export type AutomationRun = z.output<typeof AutomationRun>

/** What a rule would do to the newest tickets. */
export const DryRun = z.object({
  /** How many tickets the rule was tried on. */
  looked_at: z.int(),
  /** How many of them match, and how many would change. */
  matched: z.int(),
  changed: z.int(),
  tickets: z.array(
    z.object({
      id: integerId,
      ticket_number: z.string(),
      title: z.string(),
      /** Per field of the ticket. */
      changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
      /** Tasks and messages that it would create, and actions that would be refused. */
      notes: z.array(z.string()),
    }),
  ),
})

export type DryRun = z.output<typeof DryRun>

const rules = `${workspace}/automation-rules` as const
const rule = `${rules}/{id}` as const
const policies = `${workspace}/sla-policies` as const
const policy = `${policies}/{priority}` as const
const admin = { role: 'admin' } as const

export const automationAdminRoutes = [
  { ...list, operation: 'rules.list', path: rules, responses: { 200: pageOf(Rule) } },
  { ...create, ...admin, operation: 'rules.create', path: rules, body: RuleInput, responses: { 201: Rule } },
  { ...read, operation: 'rules.get', path: rule, responses: { 200: Rule } },
  { ...update, ...admin, operation: 'rules.update', path: rule, body: RulePatch, responses: { 200: Rule } },
  {
    ...create,
    ...admin,
    operation: 'rules.dryRun',
    path: `${rules}/dry-run`,
    body: RuleToTry,
    responses: { 200: DryRun },
  },
  {
    ...create,
    ...admin,
    operation: 'rules.dryRunStored',
    path: `${rule}/dry-run`,
    body: DryRunInput,
    responses: { 200: DryRun },
  },
  { ...remove, ...admin, operation: 'rules.delete', path: rule },
  {
    ...list,
    operation: 'rules.runs',
    path: `${workspace}/automation-runs`,
    query: z.object({ ...pageQuery, outcome: z.optional(z.enum(['matched'])) }),
    responses: { 200: pageOf(AutomationRun) },
  },
  { ...read, operation: 'slaPolicies.list', path: policies, responses: { 200: wholeListOf(SlaPolicy) } },
  { ...read, operation: 'slaPolicies.get', path: policy, responses: { 200: SlaPolicy } },
  {
    ...update,
    ...admin,
    operation: 'slaPolicies.update',
    path: policy,
    body: SlaPolicyInput,
    responses: { 200: SlaPolicy },
  },
] as const satisfies readonly AdminRoute[]
