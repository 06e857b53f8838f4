import { integerId, maxTextLength, maxTitleLength, optionalId, requiredText } from '@service/contract'
import * as z from 'zod/mini'

export const NewChannel = z.object({ workspace_id: integerId, name: requiredText(maxTitleLength) })
export type NewChannel = z.input<typeof NewChannel>

export const NewMessage = z.object({
  workspace_id: integerId,
  channel_id: integerId,
  /** A member of the workspace, or nobody. */
  author_id: optionalId,
  body: requiredText(maxTextLength),
})
export type NewMessage = z.input<typeof NewMessage>
