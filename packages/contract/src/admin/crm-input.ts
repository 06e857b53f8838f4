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
} from '../fields.ts'
import type { dealStages, leadStatuses } from '../values.ts'
import { mappingPatch } from './mapping.ts'
import { idFilter, pageQuery } from './pages.ts'

/** Which deals of a list: those that pass all of these. */
export const DealQuery = z.object({
  ...pageQuery,
  stage: z.optional(requiredText(maxOpenValueLength)),
  account_id: idFilter,
})

/** Which leads of a list: those that pass all of these. */
export const LeadQuery = z.object({
  ...pageQuery,
  status: z.optional(requiredText(maxOpenValueLength)),
  source: z.optional(requiredText(maxOpenValueLength)),
})

/** What may change of an account. */
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

/** What may change of a deal. A field left out stays; null empties it. */
export const DealPatch = z.object({ title: z.optional(requiredText(maxTitleLength)), ...dealFields })
export type DealPatch = z.input<typeof DealPatch>

/** What may change of a lead. A field left out stays; null empties it. */
export const LeadPatch = z.object({
  status: z.optional(requiredOpen<(typeof leadStatuses)[number]>()),
  name: z.optional(requiredText(maxTitleLength)),
  email: NewLead.shape.email,
  phone: NewLead.shape.phone,
  company: NewLead.shape.company,
  notes: NewLead.shape.notes,
})
export type LeadPatch = z.input<typeof LeadPatch>

export const LeadSourcePatch = z.object({
  /** Whether leads are taken from it. */
  enabled: z.optional(z.boolean()),
  /** What the platform has given: Meta's app secret, LinkedIn's client secret. An older one stops at once. */
  secret: z.optional(requiredText(maxTitleLength)),
  /** How its bodies are read. Null removes it. */
  mapping: mappingPatch,
})
export type LeadSourcePatch = z.input<typeof LeadSourcePatch>
