import type { Sender } from '../send-call.ts'
import { type Deals, deals } from './deals.ts'
import { type Leads, leads } from './leads.ts'

/** Customers. */
export interface Crm {
  readonly deals: Deals
  readonly leads: Leads
}

export const crm = (send: Sender): Crm => ({ deals: deals(send), leads: leads(send) })
