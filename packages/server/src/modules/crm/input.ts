import { emailForm, emailText, integerId } from '@service/contract'
import { AccountInput, DealInput } from '@service/contract/admin/crm-input'
import * as z from 'zod/mini'

// As administration takes them, with the workspace, for code that has no path to name it.

/** What a new lead's schema in the contract leaves to the server. */
export const LeadContact = z.object({ email: z.nullish(emailText.check(emailForm)) })

export const NewAccount = z.extend(AccountInput, { workspace_id: integerId })
export type NewAccount = z.input<typeof NewAccount>

export const NewDeal = z.extend(DealInput, { workspace_id: integerId })
export type NewDeal = z.input<typeof NewDeal>
