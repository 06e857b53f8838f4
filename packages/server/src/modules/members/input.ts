import { integerId, maxTitleLength, requiredText } from '@service/contract'
import * as z from 'zod/mini'

export const roles = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

const email = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) => text.trim().toLowerCase()),
    z.email().check(z.maxLength(maxTitleLength)),
  ),
)

export const NewMember = z.object({
  workspace_id: integerId,
  name: requiredText(maxTitleLength),
  email,
  role: z._default(z.enum(roles), 'member'),
})
export type NewMember = z.input<typeof NewMember>

export const MemberPatch = z.object({ name: z.optional(requiredText(maxTitleLength)), role: z.optional(z.enum(roles)) })
export type MemberPatch = z.input<typeof MemberPatch>
