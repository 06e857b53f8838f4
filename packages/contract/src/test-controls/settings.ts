import * as z from 'zod/mini'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import { get, post } from './control-route.ts'

const quirks = { 200: dataOf(z.unknown()) } as const

/** The server checks the values of quirks, because its messages explain the choices. */
const NewQuirks = z.object({
  created_status: z.optional(z.unknown()),
  device_not_found_status: z.optional(z.unknown()),
  unknown_workspace_status: z.optional(z.unknown()),
})

const Limit = z.union([z.literal('off'), z.int().check(z.positive())])

const Limits = z.object({ requests_per_minute: Limit })

const limits = { 200: dataOf(Limits) } as const

export const settingControlRoutes = [
  { ...get, operation: 'quirks.get', path: '/quirks', responses: quirks },
  { ...post, operation: 'quirks.set', path: '/quirks', body: NewQuirks, responses: quirks },
  { ...get, operation: 'limits.get', path: '/limits', responses: limits },
  { ...post, operation: 'limits.set', path: '/limits', body: Limits, responses: limits },
] as const satisfies readonly ControlRoute[]
