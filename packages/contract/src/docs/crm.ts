import type { crmRoutes } from '../crm.ts'
import type { DocsOf } from '../route-docs.ts'
import { createdStatus, openValues, paging } from './decisions.ts'
import { deal, grace, lead } from './example-values.ts'

/** Documentation of the CRM routes. */
export const crmDocs: DocsOf<typeof crmRoutes> = {
  'crm.deals.list': {
    summary: 'List deals',
    description: 'The newest 50 deals of the workspace, newest first.',
    responses: { deals: { data: [deal] } },
    notes: {
      does: 'Reads the newest 50 deals, newest first.',
      createdWith: ['create.deal', 'create.account'],
      decisions: [paging, openValues('stage', 'prospecting, qualification, proposal, negotiation, won, lost')],
    },
  },
  'crm.leads.create': {
    summary: 'Create a lead',
    description:
      '`name` and `source` are required; `source` is the key of an active lead source. While a lead with the same e-mail address is open, the answer is 409.',
    bodies: {
      'required-only': { name: 'Grace Kim', source: 'website' },
      full: { ...grace, source: 'website', notes: 'Asked for a demo next week.', estimated_value: 2500 },
    },
    responses: { created: { data: lead } },
    errors: {
      409: { duplicate: { message: 'An open lead with this email already exists.' } },
      422: {
        'name-missing': { message: 'The name field is required.', errors: { name: ['The name field is required.'] } },
      },
    },
    notes: {
      does: 'Creates a lead.',
      createdWith: ['create.leadSource', 'create.lead'],
      decisions: [
        createdStatus,
        openValues('status', 'new, contacted, qualified (these three are open), converted, lost'),
        {
          question: 'Which email addresses are equal',
          answer: 'Addresses are trimmed and compared in lower case; if an open lead has the address, 409',
        },
        { question: 'Range of estimated_value', answer: '0 to 10^12, two decimals, rounded half up' },
      ],
    },
  },
}
