import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
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
import { actionRefusals, Changed, listRefusals, PageQuery, pageOf, readRefusals, writeRefusals } from './pages.ts'

/** What happens to tickets by itself: on a trigger, where the conditions hold, the actions are done. */
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

/** How fast tickets of a priority must be answered and resolved; null for no promise. */
export const SlaPolicy = z.object({
  priority: z.string(),
  first_response_minutes: minutes,
  resolution_minutes: minutes,
})
export type SlaPolicy = z.output<typeof SlaPolicy>

/** What a rule did, or why it did nothing. */
export const AutomationRun = z.object({
  id: integerId,
  rule_id: integerId,
  ticket_id: integerId,
  trigger: z.string(),
  /** `ran`, `not_matched`, `refused` or `too_deep`. */
  outcome: z.string(),
  detail: z.string(),
  ran_at: instant,
})
export type AutomationRun = z.output<typeof AutomationRun>

/** What a rule would do to the newest tickets. */
export const DryRun = z.object({
  /** How many tickets there were to look at. */
  looked_at: z.int(),
  /** On how many of them it would act, and how many it would change. */
  matched: z.int(),
  changed: z.int(),
  tickets: z.array(
    z.object({
      id: integerId,
      ticket_number: z.string(),
      title: z.string(),
      /** Per field of the ticket. */
      changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
      /** Tasks and messages that it would make, and actions that would be refused. */
      notes: z.array(z.string()),
    }),
  ),
})
export type DryRun = z.output<typeof DryRun>

const workspace = '/workspaces/{workspace}'
const rule = `${workspace}/automation-rules/{id}` as const
const policy = `${workspace}/sla-policies/{priority}` as const
const list = { surface: 'admin', role: 'viewer', method: 'GET', query: PageQuery, refusals: listRefusals } as const
const read = { surface: 'admin', role: 'viewer', method: 'GET', refusals: readRefusals } as const
const change = { surface: 'admin', role: 'admin', method: 'PATCH', refusals: writeRefusals } as const
const remove = { surface: 'admin', role: 'admin', method: 'DELETE', refusals: actionRefusals } as const

export const automationAdminRoutes = [
  { ...list, operation: 'rules.list', path: `${workspace}/automation-rules`, answers: { 200: pageOf(Rule) } },
  {
    ...change,
    operation: 'rules.create',
    method: 'POST',
    path: `${workspace}/automation-rules`,
    body: RuleInput,
    answers: { 201: Rule },
  },
  { ...read, operation: 'rules.get', path: rule, answers: { 200: Rule } },
  { ...change, operation: 'rules.update', path: rule, body: RulePatch, answers: { 200: Rule } },
  {
    ...change,
    operation: 'rules.dryRun',
    method: 'POST',
    path: `${workspace}/automation-rules/dry-run`,
    body: RuleToTry,
    answers: { 200: DryRun },
  },
  {
    ...change,
    operation: 'rules.dryRunStored',
    method: 'POST',
    path: `${rule}/dry-run`,
    body: DryRunInput,
    answers: { 200: DryRun },
  },
  { ...remove, operation: 'rules.delete', path: rule, answers: { 200: Changed } },
  { ...list, operation: 'rules.runs', path: `${workspace}/automation-runs`, answers: { 200: pageOf(AutomationRun) } },
  {
    ...read,
    operation: 'slaPolicies.list',
    path: `${workspace}/sla-policies`,
    answers: { 200: z.object({ data: z.array(SlaPolicy) }) },
  },
  { ...read, operation: 'slaPolicies.get', path: policy, answers: { 200: SlaPolicy } },
  { ...change, operation: 'slaPolicies.update', path: policy, body: SlaPolicyInput, answers: { 200: SlaPolicy } },
] as const satisfies readonly AdminRoute[]

const example = {
  id: 3,
  name: 'Escalate checkout faults',
  trigger: 'ticket_created',
  match: 'all',
  conditions: [{ field: 'title', operator: 'contains', value: 'checkout' }],
  actions: [{ type: 'set_priority', priority: 'high' }],
  enabled: true,
  created_at: '2026-11-03T10:20:30.000001Z',
  updated_at: '2026-11-03T10:20:30.000001Z',
} satisfies z.output<typeof Rule>

const dryRun = {
  looked_at: 200,
  matched: 1,
  changed: 1,
  tickets: [
    {
      id: 42,
      ticket_number: 'TKT-00042',
      title: 'Checkout fails with a coupon',
      changes: { priority: { from: 'medium', to: 'high' } },
      notes: [],
    },
  ],
} satisfies z.output<typeof DryRun>

/** Documentation of the administration of rules and service levels. */
export const automationAdminDocs = (): DocsOf<typeof automationAdminRoutes> => ({
  'rules.list': {
    tag: 'Automation',
    summary: 'List rules',
    description: 'Rules of the workspace, newest first. Those of one trigger run in the order of their ids.',
    answers: { rules: { data: [example], next_before: null } },
  },
  'rules.create': {
    tag: 'Automation',
    summary: 'Create a rule',
    description:
      'Runs in the transaction of what sets it off, at most once for each ticket and change; all rules together do at most 100 actions for one change. Users and channels of actions must belong to the workspace. Texts of actions may name the ticket: `{{ticket_number}}`, `{{title}}`.',
    bodies: {
      escalate: {
        name: 'Escalate checkout faults',
        trigger: 'ticket_created',
        conditions: [{ field: 'title', operator: 'contains', value: 'checkout' }],
        actions: [{ type: 'set_priority', priority: 'high' }],
      },
    },
    answers: { created: example },
  },
  'rules.get': { tag: 'Automation', summary: 'Get a rule', answers: { rule: example } },
  'rules.update': {
    tag: 'Automation',
    summary: 'Change a rule',
    description: 'A field that is left out stays.',
    bodies: { disable: { enabled: false } },
    answers: { rule: { ...example, enabled: false } },
  },
  'rules.dryRun': {
    tag: 'Automation',
    summary: 'Try a rule',
    description:
      'What the rule would do to the newest `last` tickets (200, at most 1,000) as they are now. Nothing changes. A rule for changed tickets sees the latest change of each, one for service levels those that were broken, one for errors the latest report. What it would set off in turn is not followed.',
    bodies: {
      escalate: {
        trigger: 'ticket_created',
        conditions: [{ field: 'title', operator: 'contains', value: 'checkout' }],
        actions: [{ type: 'set_priority', priority: 'high' }],
      },
    },
    answers: { tried: dryRun },
  },
  'rules.dryRunStored': {
    tag: 'Automation',
    summary: 'Try a stored rule',
    description: 'The same for a rule that is there, enabled or not.',
    bodies: { last: { last: 500 } },
    answers: { tried: dryRun },
  },
  'rules.delete': {
    tag: 'Automation',
    summary: 'Delete a rule',
    description: 'The log of what it did goes with it.',
  },
  'slaPolicies.list': {
    tag: 'Automation',
    summary: 'List service levels',
    description: 'One entry per priority that has a promise.',
    answers: { policies: { data: [{ priority: 'high', first_response_minutes: 60, resolution_minutes: 480 }] } },
  },
  'slaPolicies.get': {
    tag: 'Automation',
    summary: 'Get a service level',
    description: 'Null where the priority has no promise.',
    answers: { policy: { priority: 'high', first_response_minutes: 60, resolution_minutes: 480 } },
  },
  'slaPolicies.update': {
    tag: 'Automation',
    summary: 'Set a service level',
    description: 'Replaces the promise of the priority; it holds for tickets made from now on.',
    bodies: { high: { first_response_minutes: 60, resolution_minutes: 480 } },
    answers: { policy: { priority: 'high', first_response_minutes: 60, resolution_minutes: 480 } },
  },
  'rules.runs': {
    tag: 'Automation',
    summary: 'List runs of rules',
    description: 'What each rule did on which ticket, or why it did nothing, newest first.',
    answers: {
      runs: {
        data: [
          {
            id: 12,
            rule_id: 3,
            ticket_id: 42,
            trigger: 'ticket.created',
            outcome: 'ran',
            detail: 'Set priority to high.',
            ran_at: '2026-11-20T18:51:53.123456Z',
          },
        ],
        next_before: null,
      },
    },
  },
})
