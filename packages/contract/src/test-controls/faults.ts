import * as z from 'zod/mini'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import { operationNames } from '../routes.ts'
import { get, post, remove } from './control-route.ts'

const Duration = z.union([z.string(), z.number()])

const Match = z.object({
  operation: z.optional(z.enum(operationNames)),
  method: z.optional(z.string()),
  path: z.optional(z.string()),
  workspace: z.optional(z.int()),
  token: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
})

/** A fault: which requests fail, how, and how often. The server rejects impossible combinations. */
const NewFault = z.object({
  match: z.optional(Match),
  after: z.optional(z.number()),
  times: z.optional(z.number()),
  probability: z.optional(z.number()),
  when: z.optional(z.enum(['before', 'after'])),
  respond: z.optional(
    z.union([
      z.number(),
      z.object({
        status: z.optional(z.number()),
        body: z.optional(z.unknown()),
        headers: z.optional(z.record(z.string(), z.string())),
        retry_after_seconds: z.optional(z.number()),
      }),
    ]),
  ),
  latency: z.optional(
    z.union([
      Duration,
      z.object({ min: Duration, max: Duration }),
      z.object({ median: Duration, sigma: z.optional(z.number()) }),
    ]),
  ),
  clock: z.optional(z.enum(['real', 'virtual'])),
  damage: z.optional(z.enum(['malformed', 'empty', 'truncated', 'wrong-type'])),
  bytes_per_second: z.optional(z.number()),
  connection: z.optional(z.enum(['reset', 'close', 'hang', 'reset-mid-body', 'refused', 'dns', 'tls'])),
  name: z.optional(z.string()),
})

const Active = z.object({
  id: z.int(),
  name: z.string(),
  hits: z.int(),
  match: z.optional(z.unknown()),
  after: z.optional(z.int()),
  times: z.optional(z.int()),
})

export const faultControlRoutes = [
  { ...get, operation: 'faults.list', path: '/faults', responses: { 200: dataOf(z.array(Active)) } },
  {
    ...post,
    operation: 'faults.add',
    path: '/faults',
    body: NewFault,
    responses: { 200: dataOf(Active) },
  },
  { ...remove, operation: 'faults.clear', path: '/faults' },
  { ...remove, operation: 'faults.remove', path: '/faults/{id}' },
] as const satisfies readonly ControlRoute[]
