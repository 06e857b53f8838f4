import { createLead, type Deal, type Lead, listDeals, type NewLead } from '@service/contract/crm'
import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { Sender } from '../send-call.ts'

/** Deals. */
export interface Deals {
  /**
   * The newest deals, at most 50, newest first; amounts are decimal strings such as `"1234.50"`. Needs `crm:read`.
   *
   * @throws ServiceError, above all AuthenticationError, PermissionError, RateLimitError.
   */
  list(options?: CallOptions): Call<Deal[]>
}

/** Leads. */
export interface Leads {
  /**
   * Creates a lead with the status `new`. `source` is the key of an active lead source. Needs `crm:write`.
   *
   * @throws ServiceError, above all ConflictError when an open lead has the same e-mail, InvalidRequestError (before
   * sending), ValidationError.
   */
  create(lead: NewLead, options?: CreateOptions): Call<Lead>
}

/** Customers. */
export interface Crm {
  readonly deals: Deals
  readonly leads: Leads
}

export function crm(send: Sender): Crm {
  const list = send.data(listDeals)
  const create = send.data(createLead)
  return {
    deals: { list: (options) => list(options) },
    leads: { create: (lead, options) => create(options, lead) },
  }
}
