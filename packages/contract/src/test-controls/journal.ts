import * as z from 'zod/mini'
import { Nothing } from '../bytes.ts'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import { operationNames } from '../routes.ts'
import { control, WaitMs } from './control-route.ts'

const match = {
  operation: z.optional(z.enum(operationNames)),
  method: z.optional(z.string()),
  path: z.optional(z.string()),
  workspace: z.optional(z.coerce.number().check(z.int())),
  status: z.optional(z.coerce.number().check(z.int())),
}

/** Which requests are meant; `body` is what their JSON has at least. */
const Match = z.object({
  ...match,
  token: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  body: z.optional(z.unknown()),
})

const entry = z.unknown()

export const journalControlRoutes = [
  {
    ...control,
    operation: 'journal.list',
    method: 'GET',
    path: '/journal',
    query: z.object(match),
    answers: { 200: dataOf(z.array(entry)) },
  },
  { ...control, operation: 'journal.clear', method: 'DELETE', path: '/journal', answers: { 204: Nothing } },
  {
    ...control,
    operation: 'journal.expect',
    method: 'POST',
    path: '/expect',
    body: z.object({ match: z.optional(Match), times: z.optional(z.int().check(z.minimum(0))) }),
    answers: { 200: dataOf(z.array(entry)) },
  },
  {
    ...control,
    operation: 'journal.wait',
    method: 'POST',
    path: '/wait',
    body: z.object({ match: z.optional(Match), timeout_ms: WaitMs }),
    answers: { 200: dataOf(entry) },
  },
  { ...control, operation: 'journal.verify', method: 'POST', path: '/verify', answers: { 204: Nothing } },
] as const satisfies readonly ControlRoute[]
