import { integerId } from '@service/contract'
import { MemberInput } from '@service/contract/admin/people-input'
import * as z from 'zod/mini'

// As administration takes them, with the workspace, for code that has no path to name it.

export const NewMember = z.extend(MemberInput, { workspace_id: integerId })
export type NewMember = z.input<typeof NewMember>
