import * as z from 'zod/mini'
import { Deal, Lead } from '../crm.ts'
import { instant, integerId, orNull } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
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
