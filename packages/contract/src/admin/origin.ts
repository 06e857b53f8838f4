import * as z from 'zod/mini'
import { integerId, orNull } from '../fields.ts'

/** What created a record without an author: a `rule`, or a caller that is not a person, such as `instance_token`. */
export const Origin = z.object({
  kind: z.string(),
  id: orNull(integerId),
  /** Null if it has no name, or was deleted. */
  name: orNull(z.string()),
})

export type Origin = z.output<typeof Origin>
