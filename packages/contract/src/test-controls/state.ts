import * as z from 'zod/mini'
import { Bytes } from '../bytes.ts'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import { get, post, remove } from './control-route.ts'

const Fork = z.object({
  id: z.int(),
  url: z.string(),
  base_url: z.string(),
  webhook_base_url: z.string(),
  test_url: z.string(),
})

export const stateControlRoutes = [
  {
    ...post,
    operation: 'state.reset',
    path: '/reset',
    body: z.object({ only: z.optional(z.array(z.enum(['journal', 'faults']))) }),
  },
  { ...get, operation: 'state.snapshot', path: '/snapshot', responses: { 200: Bytes } },
  { ...post, operation: 'state.restore', path: '/restore', body: Bytes },
  { ...post, operation: 'state.settled', path: '/settled' },
  { ...get, operation: 'states.list', path: '/states', responses: { 200: dataOf(z.array(z.string())) } },
  { ...post, operation: 'states.save', path: '/states/{name}/save' },
  { ...post, operation: 'states.load', path: '/states/{name}/load' },
  { ...post, operation: 'forks.open', path: '/forks', responses: { 200: dataOf(Fork) } },
  { ...remove, operation: 'forks.close', path: '/forks/{id}' },
] as const satisfies readonly ControlRoute[]
