import * as z from 'zod/mini'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import { operationNames } from '../routes.ts'
import { get, post, remove, WaitMs } from './control-route.ts'

const match = {
  operation: z.optional(z.enum(operationNames)),
  method: z.optional(z.string()),
  path: z.optional(z.string()),
  workspace: z.optional(z.coerce.number().check(z.int(), z.positive())),
  status: z.optional(z.coerce.number().check(z.int(), z.positive())),
}

/** Matches requests. `body` is a subset of their JSON. */
const Match = z.object({
  ...match,
  token: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  body: z.optional(z.unknown()),
})

const entry = z.unknown()

export const journalControlRoutes = [
  {
    ...get,
    operation: 'journal.list',
    path: '/journal',
    query: z.object(match),
    responses: { 200: dataOf(z.array(entry)) },
  },
  { ...remove, operation: 'journal.clear', path: '/journal' },
  {
    ...post,
    operation: 'journal.expect',
    path: '/expect',
    body: z.object({ match: z.optional(Match), times: z.optional(z.int().check(z.minimum(0))) }),
    responses: { 200: dataOf(z.array(entry)) },
  },
  {
    ...post,
    operation: 'journal.wait',
    path: '/wait',
    body: z.object({ match: z.optional(Match), timeout_ms: WaitMs }),
    responses: { 200: dataOf(entry) },
  },
  { ...post, operation: 'journal.verify', path: '/verify' },
] as const satisfies readonly ControlRoute[]
