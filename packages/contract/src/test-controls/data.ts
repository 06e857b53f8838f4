import * as z from 'zod/mini'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import { control } from './control-route.ts'

const anything = { 200: dataOf(z.unknown()) } as const

export const dataControlRoutes = [
  { ...control, operation: 'seeded.get', method: 'GET', path: '/seeded', answers: anything },
  {
    ...control,
    operation: 'factories.create',
    method: 'POST',
    path: '/create/{kind}',
    body: z.looseObject({}),
    answers: anything,
  },
  {
    ...control,
    operation: 'tokens.issue',
    method: 'POST',
    path: '/tokens',
    body: z.object({
      workspace: z.optional(z.int()),
      scopes: z.optional(z.array(z.string())),
      expires_in: z.optional(z.union([z.string(), z.number()])),
    }),
    answers: anything,
  },
] as const satisfies readonly ControlRoute[]
