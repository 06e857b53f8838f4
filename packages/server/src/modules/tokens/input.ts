import { integerId } from '@service/contract'
import { TokenInput } from '@service/contract/admin/people-input'
import * as z from 'zod/mini'

// As administration takes them, with the workspace, for code that has no path to name it.

export const NewToken = z.extend(TokenInput, { workspace_id: integerId })
export type NewToken = z.input<typeof NewToken>
