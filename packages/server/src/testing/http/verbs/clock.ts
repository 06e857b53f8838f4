import * as z from 'zod/mini'
import type { PlatformServer } from '../../../server.ts'
import type { ClockControl } from '../../clock-control.ts'
import { verb } from '../verb.ts'

const now = ({ clock }: PlatformServer) => ({ now: clock.now().toISOString(), frozen: clock.isFrozen })

const At = z.string()

/** A verb that moves the clock and tells where it is then. */
const moving = <Body extends z.ZodMiniType>(
  path: string,
  { says, body, move }: { says: string; body: Body; move: (clock: ClockControl, body: z.output<Body>) => unknown },
) =>
  verb({
    method: 'POST',
    path: `/clock/${path}`,
    says,
    body,
    async run(server, { body }) {
      await move(server.clock, body)
      return now(server)
    },
  })

export const clockVerbs = [
  verb({ method: 'GET', path: '/clock', says: "The server's time, and whether it stands still.", run: now }),
  moving('set', {
    says: 'Puts the clock to an instant (ISO 8601 with an offset). What falls due on the way is done first.',
    body: z.object({ at: At }),
    move: (clock, { at }) => clock.set(at),
  }),
  moving('advance', {
    says: 'Puts the clock forward, e.g. by "25h" or a number of milliseconds. What falls due on the way is done first.',
    body: z.object({ by: z.union([z.string(), z.number()]) }),
    move: (clock, { by }) => clock.advance(by),
  }),
  moving('freeze', {
    says: 'Stops the clock, here or at an instant.',
    body: z.object({ at: z.optional(At) }),
    move: (clock, { at }) => clock.freeze(at),
  }),
  moving('unfreeze', {
    says: 'Lets the clock run on from where it stands.',
    body: z.object({}),
    move: (clock) => clock.unfreeze(),
  }),
]
