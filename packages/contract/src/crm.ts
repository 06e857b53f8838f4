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

/** A deal (§2). `amount` is a decimal string with two places. */
export const Deal = z.looseObject({
  id: integerId,
  title: z.string(),
  stage: open<(typeof dealStages)[number]>(),
  amount: orNull(money),
  account_id: orNull(z.int()),
  owner_id: orNull(z.int()),
  expected_close_at: orNull(day),
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
  estimated_value: orNull(money),
  status: open<(typeof leadStatuses)[number]>(),
  created_at: instant,
})

export type Lead = z.infer<typeof Lead>

/** The body that creates a lead (§4). `source` is the key of an active lead source. */
export const NewLead = z.object({
  name: requiredText(maxTitleLength),
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
