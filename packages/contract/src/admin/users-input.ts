import * as z from 'zod/mini'
import { maxTitleLength, requiredText } from '../fields.ts'
import { emailAddress } from './people-input.ts'

// Apart from the routes, because the server's pages check their forms by these too.

const shortestPassword = 8
const longestPassword = 1024

/** One that is being chosen. */
const newPassword = z.string().check(z.minLength(shortestPassword), z.maxLength(longestPassword))
/** One that is being shown: how long it must have been is not checked again. */
const shownPassword = z.string().check(z.minLength(1), z.maxLength(longestPassword))

const name = requiredText(maxTitleLength)
const code = z.string().check(z.minLength(1), z.maxLength(200))

export const Credentials = z.object({ email: emailAddress, password: shownPassword })

/** The first person and the first workspace; the code is that of the set-up link. */
export const SetupInput = z.object({
  code,
  name,
  email: emailAddress,
  password: newPassword,
  /** The name of the workspace. */
  workspace: requiredText(maxTitleLength),
})

/** The code is that of the link. */
export const PasswordResetInput = z.object({ code, password: newPassword })

/** The code is that of the link. */
export const SignInCode = z.object({ code })

export const UserInput = z.object({ name, email: emailAddress, is_instance_admin: z._default(z.boolean(), false) })

export const UserPatch = z.object({
  name: z.optional(name),
  is_instance_admin: z.optional(z.boolean()),
  /** Who is disabled cannot sign in, and none of their tokens works. */
  disabled: z.optional(z.boolean()),
})

export const AccountPatch = z.object({
  name: z.optional(name),
  password: z.optional(newPassword),
  /** Needed for another password. */
  current_password: z.optional(shownPassword),
})

export const PersonalTokenInput = z.object({
  name,
  /** An instant with an offset, e.g. `2027-01-01T00:00:00Z`. */
  expires_at: z.iso.datetime({ offset: true }),
})
