import * as z from 'zod/mini'
import type { RefusalStatus } from '../route.ts'

/** What every control may refuse: misuse is 422, what a test expected or waited for in vain 409, too many wrong tokens 429. */
export const controlRefusals = [401, 404, 409, 413, 422, 429, 500, 503] as const satisfies readonly RefusalStatus[]

export const control = { surface: 'test', role: 'instance', refusals: controlRefusals } as const

/** What may be named later by its number, because objects do not travel. */
export const WithId = z.object({ id: z.int() })

/** How long a request may wait for something to happen. */
export const WaitMs = z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(60_000)), 5000)
