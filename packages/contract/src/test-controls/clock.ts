import * as z from 'zod/mini'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import { get, post } from './control-route.ts'

const At = z.string()

const responses = { 200: dataOf(z.object({ now: z.string(), frozen: z.boolean() })) } as const

const move = { ...post, responses } as const

export const clockControlRoutes = [
  { ...get, operation: 'clock.get', path: '/clock', responses },
  { ...move, operation: 'clock.set', path: '/clock/set', body: z.object({ at: At }) },
  {
    ...move,
    operation: 'clock.advance',
    path: '/clock/advance',
    body: z.object({ by: z.union([z.string(), z.number()]) }),
  },
  { ...move, operation: 'clock.freeze', path: '/clock/freeze', body: z.object({ at: z.optional(At) }) },
  { ...move, operation: 'clock.unfreeze', path: '/clock/unfreeze' },
] as const satisfies readonly ControlRoute[]
