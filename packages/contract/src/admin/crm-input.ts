import * as z from 'zod/mini'
import { NewLead } from '../crm.ts'
import {
  maxMoney,
  maxOpenValueLength,
  maxTitleLength,
  optionalDate,
  optionalId,
  optionalOpen,
  requiredOpen,
  requiredText,
  text,
} from '../fields.ts'
import type { dealStages, leadStatuses } from '../values.ts'
import { mappingPatch } from './mapping.ts'
import { idFilter, idFilterOrNone, searchFilter, sortableQuery } from './pages.ts'

/** Filters a list of deals. A deal must match all of them. */
export const DealQuery = z.object({
  ...sortableQuery(['amount', 'close']),
  search: searchFilter,
  stage: z.optional(requiredText(maxOpenValueLength)),
  account_id: idFilter,
  owner_id: idFilterOrNone,
})
export type DealQuery = z.output<typeof DealQuery>

/** Filters a list of leads. A lead must match all of them. */
export const LeadQuery = z.object({
  ...sortableQuery(['value']),
  search: searchFilter,
  status: z.optional(requiredText(maxOpenValueLength)),
  source: z.optional(requiredText(maxOpenValueLength)),
})
export type LeadQuery = z.output<typeof LeadQuery>

/** Changes to an account. */
export const AccountPatch = z.object({ name: z.optional(requiredText(maxTitleLength)) })

export const AccountInput = z.object({ name: requiredText(maxTitleLength) })

const dealFields = {
  stage: optionalOpen<(typeof dealStages)[number]>(),
  /** At most two decimals are kept (half up), 0 … 10^12. */
  amount: z.nullish(z.number().check(z.minimum(0), z.maximum(maxMoney))),
  account_id: optionalId,
  owner_id: optionalId,
  expected_close_at: optionalDate,
}

export const DealInput = z.object({ title: requiredText(maxTitleLength), ...dealFields })
export type DealInput = z.input<typeof DealInput>

/** Changes to a deal. Omitted fields keep their values; null clears a field. */
export const DealPatch = z.object({ title: z.optional(requiredText(maxTitleLength)), ...dealFields })
export type DealPatch = z.input<typeof DealPatch>

/** The deal that a lead becomes. Its account is chosen by id, or by name and created if needed. */
export const LeadConversion = z.object({
  title: requiredText(maxTitleLength),
  ...dealFields,
  account_name: text(maxTitleLength),
})
export type LeadConversion = z.input<typeof LeadConversion>

/** Changes to a lead. Omitted fields keep their values; null clears a field. */
export const LeadPatch = z.object({
  status: z.optional(requiredOpen<(typeof leadStatuses)[number]>()),
  name: z.optional(requiredText(maxTitleLength)),
  email: NewLead.shape.email,
  phone: NewLead.shape.phone,
  company: NewLead.shape.company,
  notes: NewLead.shape.notes,
  estimated_value: NewLead.shape.estimated_value,
})
export type LeadPatch = z.input<typeof LeadPatch>

export const LeadSourcePatch = z.object({
  /** Whether it accepts leads. */
  enabled: z.optional(z.boolean()),
  /** Meta's app secret or LinkedIn's client secret. It replaces the previous one immediately. */
  secret: z.optional(requiredText(maxTitleLength)),
  /** How its bodies are read. Null removes it. */
  mapping: mappingPatch,
})
export type LeadSourcePatch = z.input<typeof LeadSourcePatch>
