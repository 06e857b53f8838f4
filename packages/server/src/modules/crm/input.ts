import {
  type dealStages,
  integerId,
  maxMoney,
  maxTitleLength,
  optionalDate,
  optionalId,
  optionalOpen,
  requiredOpen,
  requiredText,
} from '@service/contract'
import * as z from 'zod/mini'

const amount = z.nullish(z.number().check(z.minimum(0), z.maximum(maxMoney)))

export const NewAccount = z.object({ workspace_id: integerId, name: requiredText(maxTitleLength) })
export type NewAccount = z.input<typeof NewAccount>

export const NewDeal = z.object({
  workspace_id: integerId,
  title: requiredText(maxTitleLength),
  stage: optionalOpen<(typeof dealStages)[number]>(),
  amount,
  account_id: optionalId,
  owner_id: optionalId,
  expected_close_at: optionalDate,
})
export type NewDeal = z.input<typeof NewDeal>

export const DealPatch = z.object({
  title: z.optional(requiredText(maxTitleLength)),
  stage: optionalOpen<(typeof dealStages)[number]>(),
  amount,
  account_id: optionalId,
  owner_id: optionalId,
  expected_close_at: optionalDate,
})
export type DealPatch = z.input<typeof DealPatch>

export const LeadSourceSwitch = z.object({
  workspace_id: integerId,
  source: requiredOpen<string>(),
  active: z.boolean(),
})
export type LeadSourceSwitch = z.input<typeof LeadSourceSwitch>

export const LeadPatch = z.object({ status: requiredOpen<string>() })
export type LeadPatch = z.input<typeof LeadPatch>

export const LeadSourceSecret = z.object({
  workspace_id: integerId,
  source: requiredOpen<string>(),
  secret: requiredText(maxTitleLength),
})
export type LeadSourceSecret = z.input<typeof LeadSourceSecret>
