import type { crmAdminRoutes } from '../../admin/crm.ts'
import type { DocsOf } from '../../route-docs.ts'
import { deal, grace, lead, page, sortablePage } from '../example-values.ts'

const enquiry = {
  id: 51,
  lead_id: 33,
  source: 'website',
  external_id: null,
  ...grace,
  notes: 'Please call back.',
  received_at: '2026-11-20T18:59:01.770003Z',
}

const website = { source: 'website', enabled: true, has_secret: true, mapping: null }

/** Documentation of the administration of accounts, deals, leads and lead sources. */
export const crmAdminDocs: DocsOf<typeof crmAdminRoutes> = {
  'accounts.list': {
    summary: 'List accounts',
    description: 'The companies of deals, newest first.',
    responses: { accounts: page(deal.account) },
  },
  'accounts.create': {
    summary: 'Create an account',
    bodies: { account: { name: 'Fabrikam' } },
    responses: { created: deal.account },
  },
  'accounts.get': { summary: 'Get an account', responses: { account: deal.account } },
  'accounts.update': {
    summary: 'Rename an account',
    bodies: { rename: { name: 'Fabrikam' } },
    responses: { account: deal.account },
  },
  'accounts.delete': { summary: 'Delete an account', description: 'Answers 409 if the account has deals.' },
  'deals.delete': { summary: 'Delete a deal' },
  'deals.list': {
    summary: 'List deals',
    description: 'Deals, newest first.',
    responses: { deals: sortablePage(deal) },
  },
  'deals.create': {
    summary: 'Create a deal',
    description: 'Only `title` is required; the stage is `prospecting` unless given.',
    bodies: {
      'title-only': { title: 'Annual license' },
      full: { title: 'Annual license', amount: 18_500, account_id: 5 },
    },
    responses: { created: deal },
  },
  'deals.get': {
    summary: 'Get a deal',
    description: 'With the lead that was converted to it, if there is one.',
    responses: { deal: { ...deal, lead: { id: lead.id, name: lead.name } } },
  },
  'deals.update': {
    summary: 'Change a deal',
    description: 'Omitted fields keep their values, and null clears a field.',
    bodies: { won: { stage: 'won' } },
    responses: { deal: { ...deal, stage: 'won' } },
  },
  'leads.list': {
    summary: 'List leads',
    description: 'Leads of every source, newest first.',
    responses: { leads: sortablePage(lead) },
  },
  'leads.create': {
    summary: 'Create a lead',
    description:
      'For leads that are entered by hand: the lead source need not be active. Answers 409 if an open lead has the same e-mail address.',
    bodies: { lead: { name: 'Grace Hopper', source: 'website', email: 'grace@example.com' } },
    responses: { created: lead },
  },
  'leads.convert': {
    summary: 'Convert a lead to a deal',
    description:
      'Creates the deal and sets the lead to `converted`. With `account_name`, the deal belongs to the account with that name, ignoring case, which is created if it does not exist. Answers 409 if the lead is already converted.',
    bodies: {
      'new-account': { title: 'Annual license', account_name: 'Fabrikam', amount: 18_500 },
      'existing-account': { title: 'Annual license', account_id: 5 },
    },
    responses: { created: deal },
  },
  'leads.get': {
    summary: 'Get a lead',
    description: 'With its notes, its inquiries, newest first, and the deal that it was converted to.',
    responses: {
      lead: { ...lead, notes: 'Please call back.', updated_at: lead.created_at, enquiries: [enquiry], deal: null },
    },
  },
  'leads.update': {
    summary: 'Change a lead',
    description: 'Answers 409 if a lead is reopened while another one with the same e-mail address is open.',
    bodies: { contacted: { status: 'contacted' } },
    responses: { lead: { ...lead, status: 'contacted' } },
  },
  'leadEnquiries.list': {
    summary: 'List inquiries',
    description:
      'Every inquiry that created or repeated a lead, newest first. `lead_id` selects those of one lead, and `email` those of the leads with an e-mail address.',
    responses: { enquiries: page(enquiry) },
  },
  'leadSources.list': {
    summary: 'List lead sources',
    description: 'All lead sources, including those that are not set up yet.',
    responses: { sources: { data: [website] } },
  },
  'leadSources.get': { summary: 'Get a lead source', responses: { source: website } },
  'leadSources.update': {
    summary: 'Change a lead source',
    description:
      'Omitted fields keep their values. `secret` is for platforms that issue one: Meta’s app secret, LinkedIn’s client secret. Enabling another source for the first time issues a secret, which only this response contains.',
    bodies: { enable: { enabled: true }, mapping: { mapping: { ignore_when: "type == 'test'" } } },
    responses: { enabled: { ...website, secret: 'YQ3bV8wq2LxT5rYbZ7mC4dPfH9sGaEuQ' }, changed: website },
  },
  'leadSources.explain': {
    summary: 'Explain a lead delivery',
    description:
      'How each entry of a body is read and what would happen to it, with the saved mapping or a draft. Nothing is captured and nothing is audited.',
    bodies: {
      draft: {
        body: { kontakt: { mail: 'grace@example.com' } },
        mapping: { fields: { email: 'kontakt.mail' } },
      },
      kept: { delivery_id: 9 },
    },
    responses: {
      explained: {
        data: [
          {
            reader: 'form',
            outcome: 'created',
            reason: null,
            lead: { name: null, email: 'grace@example.com', phone: null, company: null, message: null },
            mapped: [{ field: 'email', from: null, to: 'grace@example.com', expression: 'kontakt.mail' }],
          },
        ],
      },
    },
  },
  'leadSources.rotateSecret': {
    summary: 'Issue a new lead secret',
    description:
      'Only this response contains the secret. The previous one stops working immediately. Also enables a source that is not set up yet.',
    responses: { source: { ...website, secret: 'YQ3bV8wq2LxT5rYbZ7mC4dPfH9sGaEuQ' } },
  },
}
