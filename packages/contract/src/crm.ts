import * as z from 'zod/mini'
import { createdStatus, openValues, paging } from './docs/decisions.ts'
import { mateo } from './docs/example-values.ts'
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
import { type ApiRoute, apiReadRefusals, apiWriteRefusals } from './route.ts'
import type { DocsOf } from './route-docs.ts'
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

/** A lead as its creation answers it (§2). */
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
  operation: 'crm.deals.list',
  method: 'GET',
  surface: 'api',
  path: '/workspaces/{workspace}/crm/deals',
  scope: 'crm:read',
  answers: { 200: listOf(Deal) },
  refusals: apiReadRefusals,
} as const satisfies ApiRoute

export const createLead = {
  operation: 'crm.leads.create',
  method: 'POST',
  surface: 'api',
  path: '/workspaces/{workspace}/crm/leads',
  scope: 'crm:write',
  body: NewLead,
  answers: { 201: dataOf(Lead) },
  refusals: [...apiWriteRefusals, 409],
} as const satisfies ApiRoute

export const crmRoutes = [listDeals, createLead] as const satisfies readonly ApiRoute[]

/** Documentation of the CRM routes. */
export const crmDocs = (): DocsOf<typeof crmRoutes> => ({
  'crm.deals.list': {
    tag: 'CRM',
    summary: 'List deals',
    description: 'The newest 50 deals of the workspace, newest first.',
    answers: {
      deals: {
        data: [
          {
            id: 21,
            title: 'Annual licence',
            stage: 'negotiation',
            amount: '18500.00',
            account_id: 5,
            owner_id: mateo.id,
            expected_close_at: '2026-12-18',
            created_at: '2026-11-03T10:20:30.000001Z',
            account: { id: 5, name: 'Fabrikam' },
            owner: mateo,
          },
        ],
      },
    },
    notes: {
      does: 'Reads the newest 50 deals, newest first.',
      madeBy: ['create.deal', 'create.account'],
      decisions: [paging, openValues('stage', 'prospecting, qualification, proposal, negotiation, won, lost')],
    },
  },
  'crm.leads.create': {
    tag: 'CRM',
    summary: 'Create a lead',
    description:
      '`name` and `source` are required; `source` is the key of an active lead source. While a lead with the same e-mail address is open, the answer is 409.',
    bodies: {
      'required-only': { name: 'Grace Kim', source: 'website' },
      full: {
        name: 'Grace Kim',
        source: 'website',
        email: 'grace@fabrikam.test',
        phone: '+49 30 5550123',
        company: 'Fabrikam',
        notes: 'Asked for a demo next week.',
        estimated_value: 2500,
      },
    },
    answers: {
      created: {
        data: {
          id: 33,
          name: 'Grace Kim',
          email: 'grace@fabrikam.test',
          phone: '+49 30 5550123',
          company: 'Fabrikam',
          source: 'website',
          estimated_value: '2500.00',
          status: 'new',
          created_at: '2026-11-20T18:59:01.770003Z',
        },
      },
    },
    refusals: {
      409: { duplicate: { message: 'An open lead with this email already exists.' } },
      422: {
        'name-missing': { message: 'The name field is required.', errors: { name: ['The name field is required.'] } },
      },
    },
    notes: {
      does: 'Writes a lead.',
      madeBy: ['create.leadSource', 'create.lead'],
      decisions: [
        createdStatus,
        openValues('status', 'new, contacted, qualified (these three are open), converted, lost'),
        {
          open: 'What is the same e-mail',
          decided: 'Equal without surrounding spaces and in lower case; an open lead with it gives 409',
        },
        { open: 'Range of estimated_value', decided: '0 to 10^12, two decimals, half up' },
      ],
    },
  },
})
