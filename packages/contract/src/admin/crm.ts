import * as z from 'zod/mini'
import { Deal, Lead, NewLead } from '../crm.ts'
import { maxAddressLength } from '../email-address.ts'
import { instant, integerId, orNull, requiredText } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import {
  AccountInput,
  AccountPatch,
  DealInput,
  DealPatch,
  DealQuery,
  LeadConversion,
  LeadPatch,
  LeadQuery,
  LeadSourcePatch,
} from './crm-input.ts'
import { BodyToExplain, Mapping, mappedList } from './mapping.ts'
import { idFilter, pageOf, pageQuery, SearchQuery, sortablePageOf, wholeListOf } from './pages.ts'
import { action, create, list, read, remove, update, workspace } from './route-kinds.ts'

/** One inquiry as it arrived; fields of the lead itself may come from an earlier one. */
export const LeadEnquiry = z.object({
  id: integerId,
  lead_id: integerId,
  source: z.string(),
  /** The platform's id, which stays the same when it delivers again. */
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

/** A lead with its notes and its newest 1,000 inquiries. */
export const LeadDetail = z.extend(Lead, {
  notes: orNull(z.string()),
  updated_at: instant,
  enquiries: z.array(LeadEnquiry),
  /** The deal that it was converted to. */
  deal: z.nullable(z.object({ id: integerId, title: z.string() })),
})

export type LeadDetail = z.output<typeof LeadDetail>

/** A deal with the lead that it was made from. */
export const DealDetail = z.extend(Deal, { lead: z.nullable(z.object({ id: integerId, name: z.string() })) })

export type DealDetail = z.output<typeof DealDetail>

const leadSource = {
  source: z.string(),
  enabled: z.boolean(),
  has_secret: z.boolean(),
  /** How its bodies are read, where that differs from the built-in reader. */
  mapping: z.nullable(Mapping),
}

/** A lead source: whether it accepts leads, and whether its webhook has a secret. */
export const LeadSourceState = z.object(leadSource)

export type LeadSourceState = z.output<typeof LeadSourceState>

/** With the secret, if the change issued the first one. Only that response contains it. */
export const ChangedLeadSource = z.object({ ...leadSource, secret: z.optional(z.string()) })

export type ChangedLeadSource = z.output<typeof ChangedLeadSource>

/** With the secret, which only this response contains. */
export const LeadSourceWithSecret = z.object({ ...leadSource, secret: z.string() })

export type LeadSourceWithSecret = z.output<typeof LeadSourceWithSecret>

/** How one entry of a body would be captured. */
export const ExplainedLead = z.object({
  /** The reader that recognized the entry, as the documentation lists them. */
  reader: z.string(),
  outcome: z.enum(['created', 'duplicate', 'skipped']),
  /** Why it is skipped or a duplicate. */
  reason: z.nullable(z.string()),
  /** The fields that were read; null when the entry is skipped. */
  lead: z.nullable(
    z.object({
      name: z.nullable(z.string()),
      email: z.nullable(z.string()),
      phone: z.nullable(z.string()),
      company: z.nullable(z.string()),
      message: z.nullable(z.string()),
    }),
  ),
  mapped: mappedList,
})

export type ExplainedLead = z.output<typeof ExplainedLead>

const accounts = `${workspace}/accounts` as const
const account = `${accounts}/{id}` as const
const deals = `${workspace}/deals` as const
const deal = `${deals}/{id}` as const
const leads = `${workspace}/leads` as const
const lead = `${leads}/{id}` as const
const sources = `${workspace}/lead-sources` as const
const source = `${sources}/{source}` as const
const admin = { role: 'admin' } as const

export const crmAdminRoutes = [
  { ...list, operation: 'accounts.list', path: accounts, query: SearchQuery, responses: { 200: pageOf(Account) } },
  { ...create, operation: 'accounts.create', path: accounts, body: AccountInput, responses: { 201: Account } },
  { ...read, operation: 'accounts.get', path: account, responses: { 200: Account } },
  { ...update, operation: 'accounts.update', path: account, body: AccountPatch, responses: { 200: Account } },
  { ...remove, operation: 'accounts.delete', path: account },
  { ...list, operation: 'deals.list', path: deals, query: DealQuery, responses: { 200: sortablePageOf(Deal) } },
  { ...remove, operation: 'deals.delete', path: deal },
  { ...create, operation: 'deals.create', path: deals, body: DealInput, responses: { 201: Deal } },
  { ...read, operation: 'deals.get', path: deal, responses: { 200: DealDetail } },
  { ...update, operation: 'deals.update', path: deal, body: DealPatch, responses: { 200: Deal } },
  { ...list, operation: 'leads.list', path: leads, query: LeadQuery, responses: { 200: sortablePageOf(Lead) } },
  { ...create, operation: 'leads.create', path: leads, body: NewLead, responses: { 201: Lead } },
  { ...create, operation: 'leads.convert', path: `${lead}/convert`, body: LeadConversion, responses: { 201: Deal } },
  { ...read, operation: 'leads.get', path: lead, responses: { 200: LeadDetail } },
  { ...update, operation: 'leads.update', path: lead, body: LeadPatch, responses: { 200: Lead } },
  {
    ...list,
    operation: 'leadEnquiries.list',
    path: `${workspace}/lead-enquiries`,
    query: z.object({ ...pageQuery, lead_id: idFilter, email: z.optional(requiredText(maxAddressLength)) }),
    responses: { 200: pageOf(LeadEnquiry) },
  },
  { ...read, ...admin, operation: 'leadSources.list', path: sources, responses: { 200: wholeListOf(LeadSourceState) } },
  { ...read, ...admin, operation: 'leadSources.get', path: source, responses: { 200: LeadSourceState } },
  {
    ...update,
    ...admin,
    operation: 'leadSources.update',
    path: source,
    body: LeadSourcePatch,
    responses: { 200: ChangedLeadSource },
  },
  {
    ...create,
    ...admin,
    operation: 'leadSources.explain',
    path: `${source}/explain`,
    body: BodyToExplain,
    responses: { 200: wholeListOf(ExplainedLead) },
    audited: false,
  },
  {
    ...action,
    ...admin,
    operation: 'leadSources.rotateSecret',
    path: `${source}/rotate-secret`,
    responses: { 200: LeadSourceWithSecret },
  },
] as const satisfies readonly AdminRoute[]
