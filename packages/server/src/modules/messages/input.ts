import { integerId } from '@service/contract'
import { ChannelInput, MessageInput } from '@service/contract/admin/message-input'
import * as z from 'zod/mini'

// As administration takes them, with the workspace, for code that has no path to name it.

export const NewChannel = z.extend(ChannelInput, { workspace_id: integerId })
export type NewChannel = z.input<typeof NewChannel>

export const NewMessage = z.extend(MessageInput, { workspace_id: integerId })
export type NewMessage = z.input<typeof NewMessage>
