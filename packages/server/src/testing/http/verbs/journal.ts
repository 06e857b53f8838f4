import * as z from 'zod/mini'
import type { ExpectedRequest } from '../../journal/expected-request.ts'
import { verb, WaitMs } from '../verb.ts'

const match = {
  operation: z.optional(z.string()),
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

export const journalVerbs = [
  verb({
    method: 'GET',
    path: '/journal',
    says: 'Every request since the last reset, or those that fit, with secrets masked and the rows that they changed.',
    query: z.object(match),
    run: (server, { query }) => server.journal.find(query as ExpectedRequest), // zod leaves out what is not there
  }),
  verb({
    method: 'DELETE',
    path: '/journal',
    says: 'Forgets the requests that came.',
    run: (server) => server.journal.clear(),
  }),
  verb({
    method: 'POST',
    path: '/expect',
    says: 'The requests that fit; 409 with the nearest miss when there are none, or not as many as `times`.',
    body: z.object({ match: z.optional(Match), times: z.optional(z.int().check(z.minimum(0))) }),
    run: (server, { body: { match = {}, times } }) =>
      server.expectRequest(match as ExpectedRequest, times === undefined ? {} : { times }),
  }),
  verb({
    method: 'POST',
    path: '/wait',
    says: 'Answers with the first request that fits, as soon as it has come; 409 after `timeout_ms`.',
    body: z.object({ match: z.optional(Match), timeout_ms: WaitMs }),
    run: (server, { body: { match = {}, timeout_ms } }) =>
      server.waitFor(match as ExpectedRequest, { timeout: timeout_ms }),
  }),
  verb({
    method: 'POST',
    path: '/verify',
    says: 'Answers 409 with what was found to break the contract since it was last asked.',
    run: (server) => server.verify(),
  }),
]
