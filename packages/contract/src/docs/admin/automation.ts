import type * as z from 'zod/mini'
import type { automationAdminRoutes, DryRun, Rule } from '../../admin/automation.ts'
import type { DocsOf } from '../../route-docs.ts'

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
export const automationAdminDocs: DocsOf<typeof automationAdminRoutes> = {
  'rules.list': {
    summary: 'List rules',
    description: 'Rules of the workspace, newest first. Those of one trigger run in the order of their ids.',
    answers: { rules: { data: [example], next_before: null } },
  },
  'rules.create': {
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
  'rules.get': { summary: 'Get a rule', answers: { rule: example } },
  'rules.update': {
    summary: 'Change a rule',
    description: 'A field that is left out stays.',
    bodies: { disable: { enabled: false } },
    answers: { rule: { ...example, enabled: false } },
  },
  'rules.dryRun': {
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
    summary: 'Try a stored rule',
    description: 'The same for a rule that is there, enabled or not.',
    bodies: { last: { last: 500 } },
    answers: { tried: dryRun },
  },
  'rules.delete': { summary: 'Delete a rule', description: 'The log of what it did goes with it.' },
  'slaPolicies.list': {
    summary: 'List service levels',
    description: 'One entry per priority that has a promise.',
    answers: { policies: { data: [{ priority: 'high', first_response_minutes: 60, resolution_minutes: 480 }] } },
  },
  'slaPolicies.get': {
    summary: 'Get a service level',
    description: 'Null where the priority has no promise.',
    answers: { policy: { priority: 'high', first_response_minutes: 60, resolution_minutes: 480 } },
  },
  'slaPolicies.update': {
    summary: 'Set a service level',
    description: 'Replaces the promise of the priority; it holds for tickets made from now on.',
    bodies: { high: { first_response_minutes: 60, resolution_minutes: 480 } },
    answers: { policy: { priority: 'high', first_response_minutes: 60, resolution_minutes: 480 } },
  },
  'rules.runs': {
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
}
