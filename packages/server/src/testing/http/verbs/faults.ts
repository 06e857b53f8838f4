import * as z from 'zod/mini'
import type { ActiveFault } from '../../faults/fault.ts'
import { verb } from '../verb.ts'

/** Which operation, path, token … is meant stands in `match`; the rest is what goes wrong, checked by the faults themselves. */
const Fault = z.looseObject({ match: z.optional(z.looseObject({})) })

const toJson = ({ name, hits, fault: { match, after, times } }: ActiveFault) => ({ name, hits, match, after, times })

export const faultVerbs = [
  verb({
    method: 'GET',
    path: '/faults',
    says: 'The faults in the order in which they are tried, with how often each has struck.',
    run: (server) => server.faults.list().map(toJson),
  }),
  verb({
    method: 'POST',
    path: '/faults',
    says: 'Has requests go wrong: match, after, times, probability, when, respond, latency, damage, bytesPerSecond, connection.',
    body: Fault,
    run(server, { body, desk }) {
      const active = server.faults.add(body)
      return { id: desk.faults.put(active), ...toJson(active) }
    },
  }),
  verb({
    method: 'DELETE',
    path: '/faults',
    says: 'Removes all faults and lets go what they keep waiting.',
    run: (server) => server.faults.clear(),
  }),
  verb({
    method: 'DELETE',
    path: '/faults/{id}',
    says: 'Removes one fault.',
    run: (_, { params, desk }) => desk.faults.take(params['id']).remove(),
  }),
]
