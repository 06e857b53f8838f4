import * as z from 'zod/mini'
import {
  dataOf,
  day,
  emailText,
  instant,
  integerId,
  listOf,
  maxMoney,
  maxTextLength,
  maxTitleLength,
  money,
  Named,
  open,
  orNull,
  requiredOpen,
  requiredText,
  text,
} from './fields.ts'
import { type ApiRoute, apiRead, apiWrite } from './route.ts'
import type { dealStages, leadSources, leadStatuses } from './values.ts'

/** A deal (§2). */
export const Deal = z.looseObject({
  id: integerId,
  title: z.string(),
  stage: open<(typeof dealStages)[number]>(),
  /** A decimal string with two places, e.g. `"1234.50"`. */
  amount: orNull(money),
  account_id: orNull(z.int()),
  /** A user's id. */
  owner_id: orNull(z.int()),
  /** A day, `YYYY-MM-DD`. */
  expected_close_at: orNull(day),
  /** UTC with microseconds, e.g. `2026-11-20T18:51:53.123456Z`. */
  created_at: instant,
  account: orNull(Named),
  owner: orNull(Named),
})

export type Deal = z.infer<typeof Deal>

/** A newly created lead (§2). */
export const Lead = z.looseObject({
  id: integerId,
  name: z.string(),
  email: orNull(z.string()),
  phone: orNull(z.string()),
  company: orNull(z.string()),
  source: open<(typeof leadSources)[number]>(),
  /** A decimal string with two places, e.g. `"1234.50"`. */
  estimated_value: orNull(money),
  status: open<(typeof leadStatuses)[number]>(),
  /** UTC with microseconds, e.g. `2026-11-20T18:51:53.123456Z`. */
  created_at: instant,
})

export type Lead = z.infer<typeof Lead>

/** The fields of a new lead (§4). Null is the same as omitting a field. */
export const NewLead = z.object({
  name: requiredText(maxTitleLength),
  /** The key of an active lead source. */
  source: requiredOpen<(typeof leadSources)[number]>(),
  email: z.nullish(emailText),
  phone: text(maxTitleLength),
  company: text(maxTitleLength),
  notes: text(maxTextLength),
  /** At most two decimals are kept (half up), 0 … 10^12. */
  estimated_value: z.nullish(z.number().check(z.minimum(0), z.maximum(maxMoney))),
})

export type NewLead = z.input<typeof NewLead>

export const listDeals = {
  ...apiRead,
  operation: 'crm.deals.list',
  path: '/workspaces/{workspace}/crm/deals',
  scope: 'crm:read',
  responses: { 200: listOf(Deal) },
} as const satisfies ApiRoute

export const createLead = {
  ...apiWrite,
  operation: 'crm.leads.create',
  path: '/workspaces/{workspace}/crm/leads',
  scope: 'crm:write',
  body: NewLead,
  responses: { 201: dataOf(Lead) },
  errorStatuses: [...apiWrite.errorStatuses, 409],
} as const satisfies ApiRoute

export const crmRoutes = [listDeals, createLead] as const satisfies readonly ApiRoute[]
