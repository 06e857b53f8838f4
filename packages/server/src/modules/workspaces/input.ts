import { maxTitleLength, requiredText } from '@service/contract'
import * as z from 'zod/mini'

const timeZone = z.string().check(z.refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Berlin' }))

export const NewWorkspace = z.object({ name: requiredText(maxTitleLength), time_zone: z._default(timeZone, 'UTC') })
export type NewWorkspace = z.input<typeof NewWorkspace>

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
