import { integerId, maxOpenValueLength, requiredText } from '@service/contract'
import { RuleInput, SlaPolicyInput } from '@service/contract/admin/automation-input'
import * as z from 'zod/mini'

// As administration takes them, with the workspace, for code that has no path to name it.

export const NewRule = z.extend(RuleInput, { workspace_id: integerId })
export type NewRule = z.input<typeof NewRule>

export const NewSlaPolicy = z.extend(SlaPolicyInput, {
  workspace_id: integerId,
  priority: requiredText(maxOpenValueLength),
})
export type NewSlaPolicy = z.input<typeof NewSlaPolicy>
