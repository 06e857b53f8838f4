import * as z from 'zod/mini'
import { Bytes, Nothing } from '../bytes.ts'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
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

/** Documentation of the controls of state. */
export const stateControlDocs = (): DocsOf<typeof stateControlRoutes> => ({
  'state.reset': {
    tag: 'State',
    summary: 'Reset',
    description: 'Puts everything back to the seed; with `only`, just those parts.',
    bodies: { everything: {}, 'only-faults': { only: ['faults'] } },
  },
  'state.snapshot': {
    tag: 'State',
    summary: 'Take a snapshot',
    description: 'The whole state as bytes, to be restored here or elsewhere.',
  },
  'state.restore': {
    tag: 'State',
    summary: 'Restore a snapshot',
    description: 'Continues from a snapshot.',
    bodies: {},
  },
  'state.settled': {
    tag: 'State',
    summary: 'Wait until all is settled',
    description: 'Answers when no request, delivery, retry or job is running or due.',
  },
  'states.list': { tag: 'State', summary: 'List saved states', answers: { states: { data: ['paid-order'] } } },
  'states.save': {
    tag: 'State',
    summary: 'Save the state',
    description: 'Stores the state under a name until the server closes.',
  },
  'states.load': { tag: 'State', summary: 'Load a state', description: 'Continues from a state that was saved.' },
  'forks.open': {
    tag: 'State',
    summary: 'Fork the server',
    description:
      'Another server with the same state on a port of its own: one for each test that runs at the same time.',
  },
  'forks.close': { tag: 'State', summary: 'Close a fork' },
})
