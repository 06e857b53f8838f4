import * as z from 'zod/mini'
import { verb } from '../verb.ts'

export const stateVerbs = [
  verb({
    method: 'POST',
    path: '/reset',
    says: 'Puts everything back to the seed; with `only`, just those parts.',
    body: z.object({ only: z.optional(z.array(z.enum(['journal', 'faults']))) }),
    run: (server, { body }) => server.reset(body),
  }),
  verb({
    method: 'GET',
    path: '/snapshot',
    says: 'The whole state as bytes, for `restore` here or elsewhere.',
    gives: 'bytes',
    run: (server) => server.snapshot(),
  }),
  verb({
    method: 'POST',
    path: '/restore',
    says: 'Goes on from a snapshot.',
    takes: 'bytes',
    run: (server, { bytes }) => server.restore(bytes),
  }),
  verb({ method: 'GET', path: '/states', says: 'Names of the saved states.', run: (server) => server.states.list() }),
  verb({
    method: 'POST',
    path: '/states/{name}/save',
    says: 'Keeps the state under a name until the server closes.',
    run: (server, { params }) => server.states.save(String(params['name'])),
  }),
  verb({
    method: 'POST',
    path: '/states/{name}/load',
    says: 'Goes on from a state that was saved.',
    run: (server, { params }) => server.states.load(String(params['name'])),
  }),
  verb({
    method: 'POST',
    path: '/settled',
    says: 'Answers when no request, delivery, retry or job is running or due.',
    run: (server) => server.settled(),
  }),
]
