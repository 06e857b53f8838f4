import * as z from 'zod/mini'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import { control } from './control-route.ts'

const quirks = { 200: dataOf(z.unknown()) } as const

/** Which values a quirk can have, the server says in words. */
const NewQuirks = z.object({
  created_status: z.optional(z.unknown()),
  device_not_found_status: z.optional(z.unknown()),
  unknown_workspace_status: z.optional(z.unknown()),
})

const Limit = z.union([z.literal('off'), z.int().check(z.positive())])

const Limits = z.object({ requests_per_minute: Limit })

const limits = { 200: dataOf(Limits) } as const

export const settingControlRoutes = [
  { ...control, operation: 'quirks.get', method: 'GET', path: '/quirks', answers: quirks },
  { ...control, operation: 'quirks.set', method: 'POST', path: '/quirks', body: NewQuirks, answers: quirks },
  { ...control, operation: 'limits.get', method: 'GET', path: '/limits', answers: limits },
  { ...control, operation: 'limits.set', method: 'POST', path: '/limits', body: Limits, answers: limits },
] as const satisfies readonly ControlRoute[]
