import * as z from 'zod/mini'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
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

/** Documentation of the controls that make data. */
export const dataControlDocs = (): DocsOf<typeof dataControlRoutes> => ({
  'seeded.get': {
    tag: 'Data',
    summary: 'Get what the seed made',
    description: 'Workspaces, tokens and secrets.',
  },
  'factories.create': {
    tag: 'Data',
    summary: 'Create a thing',
    description: 'A ticket, task, workspace, token and so on. What it needs and is not named is created too.',
    bodies: { defaults: {}, 'with-values': { title: 'Checkout fails with a coupon' } },
  },
  'tokens.issue': {
    tag: 'Data',
    summary: 'Issue a token',
    description: 'With every scope unless `scopes` names some. Its text is in this answer and in no other.',
    bodies: { 'every-scope': {}, 'one-scope': { scopes: ['tickets:read'], expires_in: '1h' } },
  },
})
