import * as z from 'zod/mini'
import { Deal, Lead } from '../crm.ts'
import { mateo } from '../docs/example-values.ts'
import { instant, integerId, orNull } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
import {
  AccountInput,
  AccountPatch,
  DealInput,
  DealPatch,
  DealQuery,
  LeadPatch,
  LeadQuery,
  LeadSourcePatch,
} from './crm-input.ts'
import {
  actionRefusals,
  Changed,
  listRefusals,
  PageQuery,
  pageOf,
  pageQuery,
  readRefusals,
  writeRefusals,
} from './pages.ts'

/** One enquiry as it arrived; fields of the lead itself may come from an earlier one. */
export const LeadEnquiry = z.object({
  id: integerId,
  lead_id: integerId,
  source: z.string(),
  /** The platform's id, the same when it delivers again. */
  external_id: orNull(z.string()),
  name: orNull(z.string()),
  email: orNull(z.string()),
  phone: orNull(z.string()),
  company: orNull(z.string()),
  notes: orNull(z.string()),
  received_at: instant,
})
export type LeadEnquiry = z.infer<typeof LeadEnquiry>

/** A company that deals are made with. */
export const Account = z.object({ id: integerId, name: z.string() })
export type Account = z.output<typeof Account>

/** A lead with what was noted, and every enquiry that made or repeated it, the newest 1,000. */
export const LeadDetail = z.extend(Lead, {
  notes: orNull(z.string()),
  updated_at: instant,
  enquiries: z.array(LeadEnquiry),
})
export type LeadDetail = z.output<typeof LeadDetail>

const leadSource = { source: z.string(), enabled: z.boolean(), has_secret: z.boolean() }
/** A lead source: whether leads are taken from it, and whether its webhook has a secret. */
export const LeadSourceState = z.object(leadSource)
export type LeadSourceState = z.output<typeof LeadSourceState>
/** With the secret, which is in this answer and in no other. */
export const LeadSourceWithSecret = z.object({ ...leadSource, secret: z.string() })
export type LeadSourceWithSecret = z.output<typeof LeadSourceWithSecret>

const workspace = '/workspaces/{workspace}'
const list = { method: 'GET', surface: 'admin', role: 'viewer', query: PageQuery, refusals: listRefusals } as const
const read = { method: 'GET', surface: 'admin', role: 'viewer', refusals: readRefusals } as const
const create = { method: 'POST', surface: 'admin', role: 'member', refusals: writeRefusals } as const
const remove = { method: 'DELETE', surface: 'admin', role: 'member', refusals: actionRefusals } as const
const update = { method: 'PATCH', surface: 'admin', role: 'member', refusals: writeRefusals } as const

export const crmAdminRoutes = [
  { ...list, operation: 'accounts.list', path: `${workspace}/accounts`, answers: { 200: pageOf(Account) } },
  {
    ...create,
    operation: 'accounts.create',
    path: `${workspace}/accounts`,
    body: AccountInput,
    answers: { 201: Account },
  },
  { ...read, operation: 'accounts.get', path: `${workspace}/accounts/{id}`, answers: { 200: Account } },
  {
    ...update,
    operation: 'accounts.update',
    path: `${workspace}/accounts/{id}`,
    body: AccountPatch,
    answers: { 200: Account },
  },
  { ...remove, operation: 'accounts.delete', path: `${workspace}/accounts/{id}`, answers: { 200: Changed } },
  {
    ...list,
    operation: 'deals.list',
    path: `${workspace}/deals`,
    query: DealQuery,
    answers: { 200: pageOf(Deal) },
  },
  { ...remove, operation: 'deals.delete', path: `${workspace}/deals/{id}`, answers: { 200: Changed } },
  { ...create, operation: 'deals.create', path: `${workspace}/deals`, body: DealInput, answers: { 201: Deal } },
  { ...read, operation: 'deals.get', path: `${workspace}/deals/{id}`, answers: { 200: Deal } },
  { ...update, operation: 'deals.update', path: `${workspace}/deals/{id}`, body: DealPatch, answers: { 200: Deal } },
  {
    ...list,
    operation: 'leads.list',
    path: `${workspace}/leads`,
    query: LeadQuery,
    answers: { 200: pageOf(Lead) },
  },
  { ...read, operation: 'leads.get', path: `${workspace}/leads/{id}`, answers: { 200: LeadDetail } },
  { ...update, operation: 'leads.update', path: `${workspace}/leads/{id}`, body: LeadPatch, answers: { 200: Lead } },
  {
    ...list,
    operation: 'leadEnquiries.list',
    path: `${workspace}/lead-enquiries`,
    query: z.object({ ...pageQuery, lead_id: z.optional(z.coerce.number().check(z.int(), z.positive())) }),
    answers: { 200: pageOf(LeadEnquiry) },
  },
  {
    ...read,
    operation: 'leadSources.list',
    path: `${workspace}/lead-sources`,
    role: 'admin',
    answers: { 200: z.object({ data: z.array(LeadSourceState) }) },
  },
  {
    ...read,
    operation: 'leadSources.get',
    path: `${workspace}/lead-sources/{source}`,
    role: 'admin',
    answers: { 200: LeadSourceState },
  },
  {
    ...update,
    operation: 'leadSources.update',
    path: `${workspace}/lead-sources/{source}`,
    role: 'admin',
    body: LeadSourcePatch,
    answers: { 200: LeadSourceState },
  },
  {
    operation: 'leadSources.rotateSecret',
    method: 'POST',
    surface: 'admin',
    path: `${workspace}/lead-sources/{source}/rotate-secret`,
    role: 'admin',
    answers: { 200: LeadSourceWithSecret },
    refusals: actionRefusals,
  },
] as const satisfies readonly AdminRoute[]

const deal = {
  id: 21,
  title: 'Annual licence',
  stage: 'negotiation',
  amount: '18500.00',
  account_id: 5,
  owner_id: mateo.id,
  expected_close_at: '2026-12-18',
  created_at: '2026-11-03T10:20:30.000001Z',
  account: { id: 5, name: 'Fabrikam' },
  owner: mateo,
}
const lead = {
  id: 33,
  name: 'Grace Kim',
  email: 'grace@fabrikam.test',
  phone: '+49 30 5550123',
  company: 'Fabrikam',
  source: 'website',
  estimated_value: '2500.00',
  status: 'new',
  created_at: '2026-11-20T18:59:01.770003Z',
}
const enquiry = {
  id: 51,
  lead_id: 33,
  source: 'website',
  external_id: null,
  name: 'Grace Kim',
  email: 'grace@fabrikam.test',
  phone: '+49 30 5550123',
  company: 'Fabrikam',
  notes: 'Please call back.',
  received_at: '2026-11-20T18:59:01.770003Z',
}
const website = { source: 'website', enabled: true, has_secret: true }

/** Documentation of the administration of accounts, deals, leads and lead sources. */
export const crmAdminDocs = (): DocsOf<typeof crmAdminRoutes> => ({
  'accounts.list': {
    tag: 'CRM',
    summary: 'List accounts',
    description: 'Companies that deals are made with, newest first.',
    answers: { accounts: { data: [deal.account], next_before: null } },
  },
  'accounts.create': {
    tag: 'CRM',
    summary: 'Create an account',
    bodies: { account: { name: 'Fabrikam' } },
    answers: { created: deal.account },
  },
  'accounts.get': { tag: 'CRM', summary: 'Get an account', answers: { account: deal.account } },
  'accounts.update': {
    tag: 'CRM',
    summary: 'Rename an account',
    bodies: { rename: { name: 'Fabrikam' } },
    answers: { account: deal.account },
  },
  'accounts.delete': { tag: 'CRM', summary: 'Delete an account', description: 'An account with deals is 409.' },
  'deals.delete': { tag: 'CRM', summary: 'Delete a deal' },
  'deals.list': {
    tag: 'CRM',
    summary: 'List deals',
    description: 'Deals, newest first.',
    answers: { deals: { data: [deal], next_before: null } },
  },
  'deals.create': {
    tag: 'CRM',
    summary: 'Create a deal',
    description: 'Only `title` is required; the stage is `prospecting` unless given.',
    bodies: {
      'title-only': { title: 'Annual licence' },
      full: { title: 'Annual licence', amount: 18_500, account_id: 5 },
    },
    answers: { created: deal },
  },
  'deals.get': { tag: 'CRM', summary: 'Get a deal', answers: { deal } },
  'deals.update': {
    tag: 'CRM',
    summary: 'Change a deal',
    description: 'A field that is left out stays, null empties it.',
    bodies: { won: { stage: 'won' } },
    answers: { deal: { ...deal, stage: 'won' } },
  },
  'leads.list': {
    tag: 'CRM',
    summary: 'List leads',
    description: 'Leads of every source, newest first.',
    answers: { leads: { data: [lead], next_before: null } },
  },
  'leads.get': {
    tag: 'CRM',
    summary: 'Get a lead',
    description: 'With its notes, and every enquiry that made or repeated it, newest first.',
    answers: {
      lead: { ...lead, notes: 'Please call back.', updated_at: lead.created_at, enquiries: [enquiry] },
    },
  },
  'leads.update': {
    tag: 'CRM',
    summary: 'Change a lead',
    description: 'Opening a lead again while another one with its e-mail address is open is 409.',
    bodies: { contacted: { status: 'contacted' } },
    answers: { lead: { ...lead, status: 'contacted' } },
  },
  'leadEnquiries.list': {
    tag: 'CRM',
    summary: 'List enquiries',
    description: 'Every enquiry that made or repeated a lead, newest first; `lead_id` selects those of one lead.',
    answers: {
      enquiries: {
        data: [enquiry],
        next_before: null,
      },
    },
  },
  'leadSources.list': {
    tag: 'CRM',
    summary: 'List lead sources',
    description: 'All lead sources there are, also those that nobody has set up yet.',
    answers: { sources: { data: [website] } },
  },
  'leadSources.get': { tag: 'CRM', summary: 'Get a lead source', answers: { source: website } },
  'leadSources.update': {
    tag: 'CRM',
    summary: 'Change a lead source',
    description:
      'A field that is left out stays. `secret` is for platforms that give one: Meta’s app secret, LinkedIn’s client secret.',
    bodies: { enable: { enabled: true } },
    answers: { source: website },
  },
  'leadSources.rotateSecret': {
    tag: 'CRM',
    summary: 'Issue a new lead secret',
    description:
      'The secret is in this answer and in no other; the one before stops at once. A source that nobody has set up yet is enabled by it.',
    answers: { source: { ...website, secret: 'YQ3bV8wq2LxT5rYbZ7mC4dPfH9sGaEuQ' } },
  },
})
