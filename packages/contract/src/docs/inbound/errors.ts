import type { errorRoutes } from '../../inbound/errors.ts'
import { pingDescription, pingExample } from '../../inbound/ping.ts'
import type { DocsOf } from '../../route-docs.ts'
import { wrongSecret } from '../decisions.ts'
import { negativeTotal } from '../example-values.ts'

/** Documentation of the error webhook. */
export const errorDocs: DocsOf<typeof errorRoutes> = {
  'errors.ping': {
    summary: 'Check the error webhook',
    description: pingDescription,
    answers: { ready: { ...pingExample, message: 'The error webhook is ready.' } },
    notes: {
      does: 'Says whether the webhook is configured. Needs no credential.',
      madeBy: ['create.integration'],
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
    answers: {
      'new-ticket': { received: true, ticket_created: true, ticket_number: 'TKT-00042', ticket_id: 42 },
      'counted-on-an-open-ticket': { received: true, ticket_created: false, ticket_number: 'TKT-00042', ticket_id: 42 },
    },
    notes: {
      does: 'Writes a ticket for a new error, or counts it on the open ticket that it has; reads several frameworks’ own formats.',
      madeBy: ['create.integration', 'create.errorReport'],
      mayEmit: 'ticket.created',
      decisions: [
        wrongSecret,
        { open: 'Scope of a bearer token here', decided: '`tickets:write` of that workspace' },
        {
          open: 'Status of the ticket',
          decided: '`open`; a ticket that was closed less than 14 days ago is opened again',
        },
        {
          open: 'What makes two reports the same',
          decided: 'Application, exception, message without ids and numbers, and file',
        },
        {
          open: 'Which reports end in a ticket',
          decided:
            'A report in the documented shape always does, whatever its severity; unknown fields change nothing unless they say that nothing is wrong. Reports of other formats, and lists of reports, do from a warning on.',
          option: 'integrations.update: min_level',
        },
        {
          open: 'Answer to a report that ends in no ticket',
          decided: '200 with `ticket_created: false`; `ticket_number` and `ticket_id` are null',
        },
      ],
    },
  },
}
