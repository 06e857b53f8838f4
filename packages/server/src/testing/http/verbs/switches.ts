import * as z from 'zod/mini'
import type { PlatformServer } from '../../../server.ts'
import { verb } from '../verb.ts'

const limits = (server: PlatformServer) => ({ requests_per_minute: server.limits.requestsPerMinute })

export const switchVerbs = [
  verb({
    method: 'GET',
    path: '/quirks',
    says: 'Which of two readings holds where the documentation says two things.',
    run: (server) => server.quirks.current,
  }),
  verb({
    method: 'POST',
    path: '/quirks',
    says: 'Switches readings: createdStatus (201, 200), deviceNotFoundStatus (422, 200), unknownWorkspaceStatus (403, 404).',
    body: z.looseObject({}),
    run(server, { body }) {
      server.quirks.set(body)
      return server.quirks.current
    },
  }),
  verb({ method: 'GET', path: '/limits', says: 'How many requests a minute are answered.', run: limits }),
  verb({
    method: 'POST',
    path: '/limits',
    says: 'Changes how many requests a minute are answered: a whole number, or "off".',
    body: z.object({ requests_per_minute: z.union([z.literal('off'), z.int().check(z.positive())]) }),
    run(server, { body }) {
      server.limits.set({ requestsPerMinute: body.requests_per_minute })
      return limits(server)
    },
  }),
]
