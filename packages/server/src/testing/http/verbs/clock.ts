import * as z from 'zod/mini'
import type { PlatformServer } from '../../../server.ts'
import { verb } from '../verb.ts'

const now = ({ clock }: PlatformServer) => ({ now: clock.now().toISOString(), frozen: clock.isFrozen })

const At = z.string()

export const clockVerbs = [
  verb({ method: 'GET', path: '/clock', says: "The server's time, and whether it stands still.", run: now }),
  verb({
    method: 'POST',
    path: '/clock/set',
    says: 'Puts the clock to an instant (ISO 8601 with an offset). What falls due on the way is done first.',
    body: z.object({ at: At }),
    async run(server, { body }) {
      await server.clock.set(body.at)
      return now(server)
    },
  }),
  verb({
    method: 'POST',
    path: '/clock/advance',
    says: 'Puts the clock forward, e.g. by "25h" or a number of milliseconds. What falls due on the way is done first.',
    body: z.object({ by: z.union([z.string(), z.number()]) }),
    async run(server, { body }) {
      await server.clock.advance(body.by)
      return now(server)
    },
  }),
  verb({
    method: 'POST',
    path: '/clock/freeze',
    says: 'Stops the clock, here or at an instant.',
    body: z.object({ at: z.optional(At) }),
    async run(server, { body }) {
      await server.clock.freeze(body.at)
      return now(server)
    },
  }),
  verb({
    method: 'POST',
    path: '/clock/unfreeze',
    says: 'Lets the clock run on from where it stands.',
    run(server) {
      server.clock.unfreeze()
      return now(server)
    },
  }),
]
