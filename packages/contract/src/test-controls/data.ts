import * as z from 'zod/mini'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import { get, post } from './control-route.ts'

const anything = { 200: dataOf(z.unknown()) } as const

export const dataControlRoutes = [
  { ...get, operation: 'seeded.get', path: '/seeded', responses: anything },
  { ...post, operation: 'factories.create', path: '/create/{kind}', body: z.looseObject({}), responses: anything },
  {
    ...post,
    operation: 'tokens.issue',
    path: '/tokens',
    body: z.object({
      workspace: z.optional(z.int()),
      scopes: z.optional(z.array(z.string())),
      expires_in: z.optional(z.union([z.string(), z.number()])),
    }),
    responses: anything,
  },
] as const satisfies readonly ControlRoute[]
