import type { journalControlRoutes } from '@service/contract/test-controls/journal'
import { ApiError } from '../../../core/errors.ts'
import { toWire } from '../../http/wire-names.ts'
import type { ExpectedRequest } from '../../journal/expected-request.ts'
import type { ControlHandlers } from '../control-route.ts'

// zod leaves out what is not there, so that what it gives is an `ExpectedRequest` without undefined fields.

export const journalControls = {
  'journal.list': (server, { query }) => server.journal.find(query as ExpectedRequest).map(toWire),
  'journal.clear': (server) => server.journal.clear(),
  'journal.expect': (server, { body: { match = {}, times } }) =>
    server.expectRequest(match as ExpectedRequest, times === undefined ? {} : { times }).map(toWire),
  'journal.wait': async (server, { body: { match = {}, timeout_ms } }) =>
    toWire(await server.waitFor(match as ExpectedRequest, { timeout: timeout_ms })),
  'journal.verify'(server) {
    try {
      server.verify()
    } catch (found) {
      throw new ApiError('conflict', found instanceof Error ? found.message : String(found))
    }
  },
} satisfies ControlHandlers<typeof journalControlRoutes>
