import { integerId } from '@service/contract'
import { ProjectInput } from '@service/contract/admin/work-input'
import * as z from 'zod/mini'

// As administration takes them, with the workspace, for code that has no path to name it.

export const NewProject = z.extend(ProjectInput, { workspace_id: integerId })
export type NewProject = z.input<typeof NewProject>
