import type { DocsOf } from '../../route-docs.ts'
import type { faultControlRoutes } from '../../test-controls/faults.ts'

/** Documentation of the controls of faults. */
export const faultControlDocs: DocsOf<typeof faultControlRoutes> = {
  'faults.list': {
    summary: 'List faults',
    description: 'In the order in which they are tried, with how often each has struck.',
  },
  'faults.add': {
    summary: 'Add a fault',
    description: 'Has requests go wrong: those that `match`, in the way that the other fields say.',
    bodies: {
      unavailable: { match: { operation: 'tickets.create' }, respond: 503, times: 1 },
      slow: { bytes_per_second: 1000 },
    },
  },
  'faults.clear': { summary: 'Remove all faults', description: 'Requests that a fault delays continue.' },
  'faults.remove': { summary: 'Remove a fault' },
}
