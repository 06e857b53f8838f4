import { integerId, maxTitleLength, requiredText, scopeNames } from '@service/contract'
import * as z from 'zod/mini'

export const NewToken = z.object({
  workspace_id: integerId,
  /** Who the token acts as; must be a member of the workspace. */
  user_id: integerId,
  name: z._default(requiredText(maxTitleLength), 'API token'),
  scopes: z.array(z.enum(scopeNames)),
  /** An instant with an offset, e.g. `2027-01-01T00:00:00Z`; never expires when left out. */
  expires_at: z.nullish(z.iso.datetime({ offset: true })),
})
export type NewToken = z.input<typeof NewToken>
