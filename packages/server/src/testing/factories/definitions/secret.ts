import { requiredText } from '@service/contract'
import * as z from 'zod/mini'

const longest = 255

/** A secret that is pinned; a random one when left out. */
export const pinnedSecret = z.optional(requiredText(longest))
