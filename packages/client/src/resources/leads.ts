import { createLead } from '@service/contract/crm'
import type { LeadSource, LeadStatus } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CreateOptions } from '../call-options.ts'
import type { Sender } from '../send-call.ts'

/** A lead as its creation answers it. */
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

/** What creates a lead. Null means "not given". */
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
   * Creates a lead, which gets the status `new`. Needs `crm:write`.
   *
   * @throws ServiceError, above all ConflictError when an open lead has the same e-mail, InvalidRequestError (before
   * sending), ValidationError.
   */
  create(lead: NewLead, options?: CreateOptions): Call<Lead>
}

export const leads = (send: Sender): Leads => ({ create: send.data(createLead) })
