import {
  integerId,
  maxTitleLength,
  optionalDate,
  optionalOpen,
  type projectStatuses,
  requiredText,
} from '@service/contract'
import * as z from 'zod/mini'

const color = z.nullish(z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/)))

export const NewProject = z.object({
  workspace_id: integerId,
  name: requiredText(maxTitleLength),
  status: optionalOpen<(typeof projectStatuses)[number]>(),
  color,
  starts_at: optionalDate,
  due_at: optionalDate,
})
export type NewProject = z.input<typeof NewProject>

export const ProjectPatch = z.object({
  name: z.optional(requiredText(maxTitleLength)),
  status: optionalOpen<(typeof projectStatuses)[number]>(),
  color,
  starts_at: optionalDate,
  due_at: optionalDate,
})
export type ProjectPatch = z.input<typeof ProjectPatch>
