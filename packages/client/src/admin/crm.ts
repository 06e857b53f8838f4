import type { DealStage, LeadStatus } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { Deal } from '../resources/deals.ts'
import type { Lead } from '../resources/leads.ts'
import type { ById, Changed, InWorkspace, List, Page, PageQuery } from './page.ts'

/** A company that deals are made with. */
export interface Account {
  id: number
  name: string
}

/** The accounts of a workspace. */
export interface Accounts {
  /** Newest first. */
  list(at: InWorkspace, query?: PageQuery, options?: CallOptions): Call<Page<Account>>
  create(at: InWorkspace, account: { name: string }, options?: CreateOptions): Call<Account>
  get(at: ById, options?: CallOptions): Call<Account>
  update(at: ById, patch: { name?: string | undefined }, options?: CallOptions): Call<Account>
  /** @throws ConflictError when it has deals. */
  delete(at: ById, options?: CallOptions): Call<Changed>
}

export interface DealInput {
  title: string
  /** `prospecting` when not given. */
  stage?: DealStage | null | undefined
  /** At most two decimals are kept (half up), 0 to 10^12. */
  amount?: number | null | undefined
  account_id?: number | null | undefined
  /** A user's id. */
  owner_id?: number | null | undefined
  /** A day, `YYYY-MM-DD`. */
  expected_close_at?: string | null | undefined
}

/** The deals of a workspace. */
export interface AdminDeals {
  /** Newest first. */
  list(
    at: InWorkspace,
    query?: PageQuery & { stage?: DealStage | undefined; account_id?: number | undefined },
    options?: CallOptions,
  ): Call<Page<Deal>>
  create(at: InWorkspace, deal: DealInput, options?: CreateOptions): Call<Deal>
  get(at: ById, options?: CallOptions): Call<Deal>
  /** A field that is left out stays; null empties it. */
  update(at: ById, patch: Partial<DealInput>, options?: CallOptions): Call<Deal>
  delete(at: ById, options?: CallOptions): Call<Changed>
}

/** What may change of a lead. A field left out stays; null empties it. */
export interface LeadPatch {
  status?: LeadStatus | undefined
  name?: string | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  company?: string | null | undefined
  notes?: string | null | undefined
}

/** A lead with what was noted, and every enquiry that made or repeated it, the newest 1,000. */
export interface LeadDetail extends Lead {
  notes: string | null
  updated_at: string
  enquiries: LeadEnquiry[]
}

/** The leads of a workspace. */
export interface AdminLeads {
  /** Newest first. */
  list(
    at: InWorkspace,
    query?: PageQuery & { status?: LeadStatus | undefined; source?: string | undefined },
    options?: CallOptions,
  ): Call<Page<Lead>>
  get(at: ById, options?: CallOptions): Call<LeadDetail>
  /** @throws ConflictError when another lead with its e-mail address is open. */
  update(at: ById, patch: LeadPatch, options?: CallOptions): Call<Lead>
}

/** One enquiry as it arrived; fields of the lead itself may come from an earlier one. */
export interface LeadEnquiry {
  id: number
  lead_id: number
  source: string
  /** The platform's id, the same when it delivers again. */
  external_id: string | null
  name: string | null
  email: string | null
  phone: string | null
  company: string | null
  notes: string | null
  received_at: string
}

/** Whenever somebody got in touch. */
export interface LeadEnquiries {
  /** Newest first; of one lead with `lead_id`. */
  list(
    at: InWorkspace,
    query?: PageQuery & { lead_id?: number | undefined },
    options?: CallOptions,
  ): Call<Page<LeadEnquiry>>
}

/** A lead source: whether leads are taken from it, and whether its webhook has a secret. */
export interface LeadSourceState {
  source: string
  enabled: boolean
  has_secret: boolean
}

/** With the secret, which is in this answer and in no other. */
export interface LeadSourceWithSecret extends LeadSourceState {
  secret: string
}

/** A lead source by its key, such as `website`. */
export interface BySource extends InWorkspace {
  source: string
}

export interface LeadSourcePatch {
  enabled?: boolean | undefined
  /** What the platform has given: Meta's app secret, LinkedIn's client secret. An older one stops at once. */
  secret?: string | undefined
}

/** Where leads come from. */
export interface LeadSources {
  /** All there are, also those that nobody has set up yet. */
  list(at: InWorkspace, options?: CallOptions): Call<List<LeadSourceState>>
  get(at: BySource, options?: CallOptions): Call<LeadSourceState>
  /** A field that is left out stays as it is. */
  update(at: BySource, patch: LeadSourcePatch, options?: CallOptions): Call<LeadSourceState>
  /** The secret before stops at once. A source that nobody has set up yet is enabled by it. */
  rotateSecret(at: BySource, options?: CallOptions): Call<LeadSourceWithSecret>
}
