import * as z from 'zod/mini'
import { emailForm } from '../email-address.ts'
import { emailText, integerId, maxTitleLength, requiredText } from '../fields.ts'
import { scopeNames } from '../scopes.ts'

// Apart from the routes, because factories check their input by these too and need nothing else of them.

/** What a person may do in a workspace, most first. */
export const memberRoles = ['owner', 'admin', 'member', 'viewer'] as const
export type MemberRole = (typeof memberRoles)[number]

const timeZone = z.string().check(z.refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Berlin' }))

const currency = z
  .string()
  .check(z.refine(isCurrency, { error: 'must be an ISO 4217 currency code such as EUR, in upper case' }))

/** A workspace. Days (such as those of attendance) begin at midnight in its time zone. */
export const WorkspaceInput = z.object({
  name: requiredText(maxTitleLength),
  time_zone: z._default(timeZone, 'UTC'),
  /** What amounts of deals and leads are in. The dashboard shows them without a currency when null or left out. */
  currency: z.nullish(currency),
})
export type WorkspaceInput = z.input<typeof WorkspaceInput>

export const WorkspacePatch = z.object({
  name: z.optional(requiredText(maxTitleLength)),
  time_zone: z.optional(timeZone),
  currency: z.nullish(currency),
})

/** The address in lower case, because people do not mind the difference. */
export const emailAddress = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) => text.toLowerCase()),
    emailText.check(emailForm),
  ),
)

/** The name is what the workspace calls the person; somebody with that e-mail address keeps their own name. */
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
  /** Who the token acts as; must be a member of the workspace. The caller, where it is a person, when left out. */
  user_id: z.optional(integerId),
  name: z._default(requiredText(maxTitleLength), 'API token'),
  /** At least one: a token without scopes opens nothing. */
  scopes: z.array(z.enum(scopeNames)).check(z.minLength(1)),
  /** An instant with an offset, e.g. `2027-01-01T00:00:00Z`; never expires when left out. */
  expires_at: z.nullish(z.iso.datetime({ offset: true })),
})

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code)
}
