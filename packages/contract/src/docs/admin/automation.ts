import type * as z from 'zod/mini'
import type { automationAdminRoutes, DryRun, Rule } from '../../admin/automation.ts'
import type { RuleToTry } from '../../admin/automation-input.ts'
import type { DocsOf } from '../../route-docs.ts'
import { page, ticketReference } from '../example-values.ts'

const tried = {
  trigger: 'ticket_created',
  conditions: [{ field: 'title', operator: 'contains', value: 'checkout' }],
  actions: [{ type: 'set_priority', priority: 'high' }],
} satisfies z.input<typeof RuleToTry>
const example = {
  id: 3,
  name: 'Escalate checkout faults',
  ...tried,
  match: 'all',
  enabled: true,
  created_at: '2026-11-03T10:20:30.000001Z',
  updated_at: '2026-11-03T10:20:30.000001Z',
} satisfies z.output<typeof Rule>

const dryRun = {
  looked_at: 200,
  matched: 1,
  changed: 1,
  tickets: [{ ...ticketReference, changes: { priority: { from: 'medium', to: 'high' } }, notes: [] }],
} satisfies z.output<typeof DryRun>

const promise = { first_response_minutes: 60, resolution_minutes: 480 }
const policy = { priority: 'high', ...promise }

/** Documentation of the administration of rules and service levels. */
export const automationAdminDocs: DocsOf<typeof automationAdminRoutes> = {
  'rules.list': {
    summary: 'List rules',
    description: 'Rules of the workspace, newest first. Those of one trigger run in the order of their ids.',
    responses: { rules: page(example) },
  },
  'rules.create': {
    summary: 'Create a rule',
    description:
      'Runs in the transaction of the change that triggers it, at most once per ticket and change. All rules together run at most 100 actions per change. Users and channels of actions must belong to the workspace. Texts of actions may name the ticket: `{{ticket_number}}`, `{{title}}`.',
    bodies: { escalate: { name: example.name, ...tried } },
    responses: { created: example },
  },
  'rules.get': { summary: 'Get a rule', responses: { rule: example } },
  'rules.update': {
    summary: 'Change a rule',
    description: 'Omitted fields keep their values.',
    bodies: { disable: { enabled: false } },
    responses: { rule: { ...example, enabled: false } },
  },
  'rules.dryRun': {
    summary: 'Try a rule',
    description:
      'Shows what the rule would do to the newest `last` tickets (default 200, at most 1,000) in their current state. Nothing changes. A rule for changed tickets sees the latest change of each ticket, a rule for service levels those that were missed, and a rule for errors the latest report. Events that its actions would trigger are not followed.',
    bodies: { escalate: tried },
    responses: { tried: dryRun },
  },
  'rules.dryRunStored': {
    summary: 'Try a stored rule',
    description: 'Tries an existing rule, whether or not it is enabled.',
    bodies: { last: { last: 500 } },
    responses: { tried: dryRun },
  },
  'rules.delete': { summary: 'Delete a rule', description: 'Also deletes the log of its runs.' },
  'slaPolicies.list': {
    summary: 'List service levels',
    description: 'One entry per priority that has targets.',
    responses: { policies: { data: [policy] } },
  },
  'slaPolicies.get': {
    summary: 'Get a service level',
    description: 'Both targets are null if the priority has none.',
    responses: { policy },
  },
  'slaPolicies.update': {
    summary: 'Set a service level',
    description:
      'Replaces the targets of the priority; without any, it has no service level. They apply to tickets created from now on.',
    bodies: { high: promise },
    responses: { policy },
  },
  'rules.runs': {
    summary: 'List runs of rules',
    description:
      'What each rule did on which ticket, or why it did nothing, newest first. `outcome=matched` omits runs whose conditions did not match.',
    responses: {
      runs: page({
        id: 12,
        rule_id: 3,
        ticket_id: 42,
        ticket_number: 'TKT-00042',
        trigger: 'ticket.created',
        outcome: 'ran',
        detail: 'Priority set to high.',
        ran_at: '2026-11-20T18:51:53.123456Z',
      }),
    },
  },
}
