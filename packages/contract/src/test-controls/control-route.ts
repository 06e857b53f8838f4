import * as z from 'zod/mini'
import { Nothing } from '../bytes.ts'
import type { ErrorStatus } from '../route.ts'

/** The error statuses of every control: 422 for misuse, 409 for an expectation that was not met, 429 for too many wrong tokens. */
const errorStatuses = [401, 404, 409, 413, 415, 422, 429, 500, 503] as const satisfies readonly ErrorStatus[]
const control = { surface: 'test', role: 'instance', errorStatuses } as const

export const get = { ...control, method: 'GET' } as const
/** Returns 204, unless the route has other responses. */
export const post = { ...control, method: 'POST', responses: { 204: Nothing } } as const
export const remove = { ...post, method: 'DELETE' } as const

/** The number by which later calls name a thing. */
export const WithId = z.object({ id: z.int() })

/** How long a request may wait for something to happen. */
export const WaitMs = z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(60_000)), 5000)
