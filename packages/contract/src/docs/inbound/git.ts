import type { gitRoutes } from '../../inbound/git.ts'
import { pingDescription, pingExample } from '../../inbound/ping.ts'
import type { DocsOf } from '../../route-docs.ts'
import { unreadable } from '../example-values.ts'

const issue = {
  number: 118,
  title: 'Checkout fails with a coupon',
  html_url: 'https://git.test/northwind/shop/issues/118',
}

/** Documentation of the Git webhook. */
export const gitDocs: DocsOf<typeof gitRoutes> = {
  'git.ping': {
    summary: "Check a Git provider's webhook",
    description: pingDescription,
    responses: {
      ready: {
        ...pingExample,
        message: 'Send github events here with POST; the event is named in X-GitHub-Event.',
        provider: 'github',
      },
    },
    notes: {
      does: 'Returns whether the provider is configured.',
      createdWith: ['create.integration'],
      decisions: [{ question: 'Names of the three providers', answer: 'github, gitlab, bitbucket' }],
    },
  },
  'git.send': {
    summary: 'Send a Git event',
    description:
      "The body is the provider's own. When a secret is set for the provider, the request must carry the provider's own signature or token. Every event is kept as activity; an opened issue may open a ticket.",
    bodies: { 'issue-opened': { action: 'opened', issue } },
    responses: {
      'ticket-created': {
        received: true,
        event: 'issues',
        stored: 1,
        ticket_created: true,
        ticket_number: 'TKT-00043',
      },
      stored: { received: true, event: 'push', stored: 3, ticket_created: false },
    },
    errors: {
      413: { 'too-large': { message: 'The request body must not be larger than 26214400 bytes.' } },
      422: unreadable,
    },
    notes: {
      does: 'Creates activities, one per commit of a push and one for any other event; creates a ticket for an issue if the integration is configured to.',
      createdWith: ['create.integration'],
      mayEmit: 'ticket.created',
      decisions: [
        {
          question: 'Verification of requests',
          answer:
            'With the provider’s scheme if the integration has a secret (otherwise 401); without a secret, all requests are accepted',
        },
        { question: 'Duplicate deliveries', answer: 'Stored once, by the provider’s delivery id' },
        { question: 'Unknown events', answer: '200, with one general activity' },
        {
          question: 'When an issue creates a ticket',
          answer: 'When the issue is opened; once per repository and issue',
          option: 'integrations.update: open_tickets',
        },
      ],
    },
  },
}
