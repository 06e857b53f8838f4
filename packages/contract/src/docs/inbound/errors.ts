import type { errorRoutes } from '../../inbound/errors.ts'
import { pingDescription, pingExample } from '../../inbound/ping.ts'
import type { DocsOf } from '../../route-docs.ts'
import { wrongSecret } from '../decisions.ts'
import { negativeTotal } from '../example-values.ts'

const message =
  'Send error reports here with POST and the header X-Service-Webhook-Secret, or a bearer token with tickets:write.'
const unreadableReport =
  'The body must be JSON, an object or a list of objects, or lines of text with the header Content-Type: text/plain.'

/** Documentation of the error webhook. */
export const errorDocs: DocsOf<typeof errorRoutes> = {
  'errors.ping': {
    summary: 'Check the error webhook',
    description: pingDescription,
    responses: { ready: { ...pingExample, message } },
    notes: {
      does: 'Returns whether the webhook is configured. Requires no credential.',
      createdWith: ['create.integration'],
      decisions: [],
    },
  },
  'errors.report': {
    summary: 'Report an error',
    description:
      'Opens a ticket, or counts the error on the open ticket of the same error. Every field is optional, and the formats of several frameworks are read too. A bearer token needs the scope `tickets:write`.',
    bodies: {
      report: {
        ...negativeTotal,
        status_code: 500,
        url: 'https://shop.northwind.test/checkout',
        method: 'POST',
        app_name: 'shop',
      },
    },
    errors: { 422: { 'malformed-json': { message: unreadableReport, errors: { body: [unreadableReport] } } } },
    responses: {
      'new-ticket': { received: true, ticket_created: true, ticket_number: 'TKT-00042', ticket_id: 42 },
      'counted-on-an-open-ticket': { received: true, ticket_created: false, ticket_number: 'TKT-00042', ticket_id: 42 },
    },
    notes: {
      does: 'Creates a ticket for a new error, or counts it on its open ticket; reads the formats of many tools.',
      createdWith: ['create.integration', 'create.errorReport'],
      mayEmit: 'ticket.created',
      decisions: [
        wrongSecret,
        { question: 'Scope of a bearer token here', answer: '`tickets:write` of that workspace' },
        {
          question: 'Status of the ticket',
          answer: '`open`; a ticket that was closed less than 14 days ago is reopened',
        },
        {
          question: 'Which reports are grouped',
          answer:
            'Reports with the same app, repository, exception, message without ids and numbers, and file; alerts and issues with the same id or name, and place',
        },
        {
          question: 'Which reports create a ticket',
          answer:
            'Reports in the documented format, with any severity; unknown fields are ignored, but a title, a level, a time, a service, a place, or a state is from another format. Reports in other formats and lists of reports, if their level is at least warning.',
          option: 'integrations.update: min_level',
        },
        {
          question: 'Response to a report without a ticket',
          answer: '200 with `ticket_created: false`; `ticket_number` and `ticket_id` are null',
        },
      ],
    },
  },
}
