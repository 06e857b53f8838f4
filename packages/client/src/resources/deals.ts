import { listDeals } from '@service/contract/crm'
import type { DealStage } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CallOptions } from '../call-options.ts'
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
   * The newest deals, at most 50, newest first. Needs `crm:read`.
   *
   * @throws ServiceError, above all AuthenticationError, PermissionError, RateLimitError.
   */
  list(options?: CallOptions): Call<Deal[]>
}

export const deals = (send: Sender): Deals => ({ list: send.data(listDeals) })
