import { createLead, listDeals } from '@service/contract/crm'
import type { DealStage, LeadSource, LeadStatus } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { Sender } from '../send-call.ts'
import type { Named } from './named.ts'

/** A deal. */
export interface Deal {
  id: number
  title: string
  stage: DealStage
  /** A decimal string with two places, e.g. `"1234.50"`. */
  amount: string | null
  account_id: number | null
  /** A user's id. */
  owner_id: number | null
  /** A day, `YYYY-MM-DD`. */
  expected_close_at: string | null
  /** UTC with microseconds, e.g. `2026-11-20T18:51:53.123456Z`. */
  created_at: string
  account: Named | null
  owner: Named | null
}

/** Deals. */
export interface Deals {
  /**
   * Returns up to 50 deals, newest first. Requires `crm:read`.
   *
   * @throws ServiceError, especially AuthenticationError, PermissionError, RateLimitError.
   */
  list(options?: CallOptions): Call<Deal[]>
}

/** A newly created lead. */
export interface Lead {
  id: number
  name: string
  email: string | null
  phone: string | null
  company: string | null
  source: LeadSource
  /** A decimal string with two places, e.g. `"1234.50"`. */
  estimated_value: string | null
  status: LeadStatus
  /** UTC with microseconds, e.g. `2026-11-20T18:51:53.123456Z`. */
  created_at: string
}

/** The fields of a new lead. Null is the same as omitting a field. */
export interface NewLead {
  name: string
  /** The key of an active lead source. */
  source: LeadSource
  email?: string | null | undefined
  phone?: string | null | undefined
  company?: string | null | undefined
  notes?: string | null | undefined
  /** At most two decimals are kept. */
  estimated_value?: number | null | undefined
}

/** Leads. */
export interface Leads {
  /**
   * Creates a lead with the status `new`. Requires `crm:write`.
   *
   * @throws ServiceError, especially ConflictError when an open lead has the same e-mail, InvalidRequestError (before
   * sending), ValidationError.
   */
  create(lead: NewLead, options?: CreateOptions): Call<Lead>
}

/** Customers. */
export interface Crm {
  readonly deals: Deals
  readonly leads: Leads
}

export const crm = (send: Sender): Crm => ({
  deals: { list: send.data(listDeals) },
  leads: { create: send.data(createLead) },
})
