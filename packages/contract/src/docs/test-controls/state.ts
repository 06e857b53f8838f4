import type { DocsOf } from '../../route-docs.ts'
import type { stateControlRoutes } from '../../test-controls/state.ts'

/** Documentation of the controls of state. */
export const stateControlDocs: DocsOf<typeof stateControlRoutes> = {
  'state.reset': {
    summary: 'Reset',
    description: 'Puts everything back to the seed; with `only`, just those parts.',
    bodies: { everything: {}, 'only-faults': { only: ['faults'] } },
  },
  'state.snapshot': {
    summary: 'Take a snapshot',
    description: 'The whole state as bytes, to be restored here or elsewhere.',
  },
  'state.restore': { summary: 'Restore a snapshot', description: 'Continues from a snapshot.', bodies: {} },
  'state.settled': {
    summary: 'Wait until all is settled',
    description: 'Answers when no request, delivery, retry or job is running or due.',
  },
  'states.list': { summary: 'List saved states', answers: { states: { data: ['paid-order'] } } },
  'states.save': { summary: 'Save the state', description: 'Stores the state under a name until the server closes.' },
  'states.load': { summary: 'Load a state', description: 'Continues from a state that was saved.' },
  'forks.open': {
    summary: 'Fork the server',
    description:
      'Another server with the same state on a port of its own: one for each test that runs at the same time.',
  },
  'forks.close': { summary: 'Close a fork' },
}
