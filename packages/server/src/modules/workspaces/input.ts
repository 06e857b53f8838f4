import { WorkspaceInput } from '@service/contract/admin/people-input'
import type * as z from 'zod/mini'

export const NewWorkspace = WorkspaceInput
export type NewWorkspace = z.input<typeof NewWorkspace>
