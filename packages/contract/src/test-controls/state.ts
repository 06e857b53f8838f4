import * as z from 'zod/mini'
import { Bytes, Nothing } from '../bytes.ts'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import { control } from './control-route.ts'

const Fork = z.object({
  id: z.int(),
  url: z.string(),
  base_url: z.string(),
  webhook_base_url: z.string(),
  test_url: z.string(),
})

export const stateControlRoutes = [
  {
    ...control,
    operation: 'state.reset',
    method: 'POST',
    path: '/reset',
    body: z.object({ only: z.optional(z.array(z.enum(['journal', 'faults']))) }),
    answers: { 204: Nothing },
  },
  { ...control, operation: 'state.snapshot', method: 'GET', path: '/snapshot', answers: { 200: Bytes } },
  { ...control, operation: 'state.restore', method: 'POST', path: '/restore', body: Bytes, answers: { 204: Nothing } },
  { ...control, operation: 'state.settled', method: 'POST', path: '/settled', answers: { 204: Nothing } },
  {
    ...control,
    operation: 'states.list',
    method: 'GET',
    path: '/states',
    answers: { 200: dataOf(z.array(z.string())) },
  },
  { ...control, operation: 'states.save', method: 'POST', path: '/states/{name}/save', answers: { 204: Nothing } },
  { ...control, operation: 'states.load', method: 'POST', path: '/states/{name}/load', answers: { 204: Nothing } },
  { ...control, operation: 'forks.open', method: 'POST', path: '/forks', answers: { 200: dataOf(Fork) } },
  { ...control, operation: 'forks.close', method: 'DELETE', path: '/forks/{id}', answers: { 204: Nothing } },
] as const satisfies readonly ControlRoute[]
