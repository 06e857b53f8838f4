import * as z from 'zod/mini'
import { emailForm } from '../email-address.ts'
import { emailText, integerId, maxTitleLength, requiredText } from '../fields.ts'
import { scopeNames } from '../scopes.ts'
import { timeZone } from './time-zone.ts'

// Separate from the routes, because factories also check their input with these schemas and need nothing else.

const maxViews = 20
const maxViewNameLength = 64
const maxViewQueryLength = 1000

/** A named filter of a list in the dashboard. */
export const SavedView = z.object({
  list: z.enum(['tickets']),
  name: requiredText(maxViewNameLength),
  /** The query string of the list's page. */
  query: requiredText(maxViewQueryLength),
})
export type SavedView = z.output<typeof SavedView>

/** A saved view for everyone in the workspace. Its name is unique among those of the list. */
export const SharedViewPatch = z.object({ name: z.optional(requiredText(maxViewNameLength)) })

export const SavedViewsPatch = z.object({ data: z.array(SavedView).check(z.maxLength(maxViews)) })

/** The roles of a workspace, from most to fewest permissions. */
export const memberRoles = ['owner', 'admin', 'member', 'viewer'] as const
export type MemberRole = (typeof memberRoles)[number]

const currency = z
  .string()
  .check(z.refine(isCurrency, { error: 'must be an ISO 4217 currency code such as EUR, in upper case' }))

/** A workspace. Days (such as those of attendance) begin at midnight in its time zone. */
export const WorkspaceInput = z.object({
  name: requiredText(maxTitleLength),
  time_zone: z._default(timeZone, 'UTC'),
  /** The currency of deals and leads. If it is null or missing, the dashboard shows amounts without a currency. */
  currency: z.nullish(currency),
})
export type WorkspaceInput = z.input<typeof WorkspaceInput>

export const WorkspacePatch = z.object({
  name: z.optional(requiredText(maxTitleLength)),
  time_zone: z.optional(timeZone),
  currency: z.nullish(currency),
  /** Requires an instance administrator. In a disabled workspace, members, API tokens, and inbound deliveries are refused. */
  disabled: z.optional(z.boolean()),
})

/** An e-mail address, converted to lower case so that case does not matter. */
export const emailAddress = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) => text.toLowerCase()),
    emailText.check(emailForm),
  ),
)

/** `name` is what this workspace calls the person. The name in the person's own account stays the same. */
export const MemberInput = z.object({
  name: requiredText(maxTitleLength),
  email: emailAddress,
  role: z._default(z.enum(memberRoles), 'member'),
})

export const MemberPatch = z.object({
  name: z.optional(requiredText(maxTitleLength)),
  role: z.optional(z.enum(memberRoles)),
})
export type MemberPatch = z.input<typeof MemberPatch>

export const TokenInput = z.object({
  /** The member of the workspace that the token acts as. Defaults to the caller, if the caller is a person. */
  user_id: z.optional(integerId),
  name: z._default(requiredText(maxTitleLength), 'API token'),
  /** At least one, because a token without scopes cannot call anything. */
  scopes: z.array(z.enum(scopeNames)).check(z.minLength(1), z.maxLength(scopeNames.length)),
  /** An instant with an offset, e.g. `2027-01-01T00:00:00Z`. By default the token never expires. */
  expires_at: z.nullish(z.iso.datetime({ offset: true })),
})

function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code)
}
