import type { DocsOf } from '../../route-docs.ts'
import type { journalControlRoutes } from '../../test-controls/journal.ts'

const match = { operation: 'tickets.create' } as const

/** Documentation of the controls of the journal. */
export const journalControlDocs: DocsOf<typeof journalControlRoutes> = {
  'journal.list': {
    summary: 'List requests',
    description:
      'Every request since the last reset, or those that fit, with secrets masked and the rows that they changed.',
  },
  'journal.clear': { summary: 'Clear the journal', description: 'Deletes the requests that came.' },
  'journal.expect': {
    summary: 'Expect requests',
    description: 'The requests that fit; 409 with the nearest miss when there are none, or not as many as `times`.',
    bodies: { some: { match }, 'exactly-one': { match, times: 1 } },
  },
  'journal.wait': {
    summary: 'Wait for a request',
    description: 'Answers with the first request that fits, as soon as it has come; 409 after `timeout_ms`.',
    bodies: { 'five-seconds': { match, timeout_ms: 5000 } },
  },
  'journal.verify': {
    summary: 'Verify the contract',
    description: 'Answers 409 with what was found to break the contract since it was last asked.',
  },
}
