import * as z from 'zod/mini'
import type { InboundRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
import { deliveryRefusals, pingDescription, pingExample, pingFields, pingRefusals } from './ping.ts'

export const GitPing = z.looseObject({ ...pingFields, provider: z.string() })
export type GitPing = z.infer<typeof GitPing>

/** The answer to a Git delivery (§4). `stored` counts activity entries; `ticket_number` is there when a ticket was created. */
export const GitReceipt = z.looseObject({
  received: z.boolean(),
  event: z.string(),
  stored: z.int(),
  ticket_created: z.boolean(),
  ticket_number: z.optional(z.string()),
})
export type GitReceipt = z.infer<typeof GitReceipt>

export const pingGit = {
  operation: 'git.ping',
  method: 'GET',
  surface: 'inbound',
  path: '/webhooks/{workspace}/{provider}',
  answers: { 200: GitPing },
  refusals: pingRefusals,
} as const satisfies InboundRoute

export const receiveGit = {
  operation: 'git.send',
  method: 'POST',
  surface: 'inbound',
  path: '/webhooks/{workspace}/{provider}',
  secrets: ['provider'],
  body: z.looseObject({}),
  idempotencyKey: false,
  answers: { 200: GitReceipt },
  refusals: deliveryRefusals,
} as const satisfies InboundRoute

const openedIssue = {
  number: 118,
  title: 'Checkout fails with a coupon',
  html_url: 'https://git.test/northwind/shop/issues/118',
}

export const gitRoutes = [pingGit, receiveGit] as const satisfies readonly InboundRoute[]

/** Documentation of the Git webhook. */
export const gitDocs = (): DocsOf<typeof gitRoutes> => ({
  'git.ping': {
    tag: 'Git events',
    summary: "Check a Git provider's webhook",
    description: pingDescription,
    answers: { ready: { ...pingExample, message: 'The Git webhook is ready.', provider: 'github' } },
    notes: {
      does: 'Says whether the provider is configured.',
      madeBy: ['create.integration'],
      decisions: [{ open: 'Names of the three providers', decided: 'github, gitlab, bitbucket' }],
    },
  },
  'git.send': {
    tag: 'Git events',
    summary: 'Send a Git event',
    description:
      "The body is the provider's own. When a secret is set for the provider, the request must carry the provider's own signature or token. Every event is kept as activity; an opened issue may open a ticket.",
    bodies: { 'issue-opened': { action: 'opened', issue: openedIssue } },
    answers: {
      'ticket-created': {
        received: true,
        event: 'issues',
        stored: 1,
        ticket_created: true,
        ticket_number: 'TKT-00043',
      },
      stored: { received: true, event: 'push', stored: 3, ticket_created: false },
    },
    notes: {
      does: 'Writes activity entries, one per commit of a push and one for anything else; opens a ticket for an issue where the integration says so.',
      madeBy: ['create.integration'],
      mayEmit: 'ticket.created',
      decisions: [
        {
          open: 'How a request is verified',
          decided:
            'By the provider’s own scheme where the integration has a secret (401 otherwise); without one everything is taken',
        },
        { open: 'The same delivery again', decided: 'Stored once, by the provider’s delivery id' },
        { open: 'Unknown events', decided: '200 with one general entry' },
        {
          open: 'When an issue opens a ticket',
          decided: 'When it is opened; once per repository and issue',
          option: 'integrations.update: open_tickets',
        },
      ],
    },
  },
})
