import type { DocsOf } from '../route-docs.ts'
import type { controlRoutes } from '../test-controls.ts'

const frozen = { frozen: { data: { now: '2026-11-20T18:51:53.123Z', frozen: true } } }
const match = { operation: 'tickets.create' } as const

/** Summary, description and examples of each control. */
export const controlDocs: DocsOf<typeof controlRoutes> = {
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
  'clock.get': {
    summary: 'Get the time',
    description: "The server's time, and whether the clock is frozen.",
    answers: frozen,
  },
  'clock.set': {
    summary: 'Set the clock',
    description: 'To an instant (ISO 8601 with an offset). What falls due on the way is done first.',
    bodies: { instant: { at: '2026-11-20T18:51:53Z' } },
    answers: frozen,
  },
  'clock.advance': {
    summary: 'Advance the clock',
    description: 'By "25h", say, or a number of milliseconds. What falls due on the way is done first.',
    bodies: { duration: { by: '25h' }, milliseconds: { by: 1500 } },
    answers: frozen,
  },
  'clock.freeze': {
    summary: 'Freeze the clock',
    description: 'Now, or at an instant.',
    bodies: { now: {}, instant: { at: '2026-11-20T18:51:53Z' } },
    answers: frozen,
  },
  'clock.unfreeze': {
    summary: 'Unfreeze the clock',
    description: 'It continues from the time that it shows.',
    answers: { running: { data: { now: '2026-11-20T18:51:53.123Z', frozen: false } } },
  },
  'seeded.get': { summary: 'Get what the seed made', description: 'Workspaces, tokens and secrets.' },
  'factories.create': {
    summary: 'Create a thing',
    description: 'A ticket, task, workspace, token and so on. What it needs and is not named is created too.',
    bodies: { defaults: {}, 'with-values': { title: 'Checkout fails with a coupon' } },
  },
  'tokens.issue': {
    summary: 'Issue a token',
    description: 'With every scope unless `scopes` names some. Its text is in this answer and in no other.',
    bodies: { 'every-scope': {}, 'one-scope': { scopes: ['tickets:read'], expires_in: '1h' } },
  },
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
  'inboxes.open': {
    summary: 'Open an inbox',
    description: 'Subscribes an inbox inside the server to events: names, families such as `ticket.*`, or `*`.',
    bodies: { everything: {}, tickets: { events: ['ticket.*'] } },
  },
  'inboxes.next': {
    summary: 'Wait for an event',
    description: 'The next event, as soon as there is one; 409 with what came instead after `timeout_ms`.',
    bodies: { any: {}, ticket: { event: 'ticket.created', timeout_ms: 1000 } },
  },
  'inboxes.list': { summary: 'List events', description: 'Every event that the inbox has received.' },
  'inboxes.deliveries': {
    summary: 'List deliveries',
    description: 'What the platform sent to the inbox, how often, and what came of it.',
  },
  'inboxes.respondWith': {
    summary: 'Set the next answers',
    description: 'What the inbox answers to the next requests, in this order: statuses, or "timeout". Then 200.',
    bodies: { 'fail-twice': { answers: [500, 'timeout'] } },
  },
  'inboxes.close': { summary: 'Close an inbox', description: 'Ends its subscriptions.' },
  'deliveryFaults.add': {
    summary: 'Disturb deliveries',
    description: 'Has deliveries come twice, late, in another order, altered or not at all.',
    bodies: { twice: { duplicate: 1 }, forged: { bad_signature: true, times: 1 } },
  },
  'deliveryFaults.remove': { summary: 'Stop disturbing deliveries' },
  'events.trigger': {
    summary: 'Trigger an event',
    description: 'Has an event happen to a real object, whose id can be read; answers with what is sent.',
    bodies: { ticket: { event: 'ticket.created' } },
  },
  'quirks.get': {
    summary: 'Get the quirks',
    description: 'Which of two readings holds where the documentation says two things.',
  },
  'quirks.set': {
    summary: 'Set quirks',
    description:
      '`created_status` (201, 200), `device_not_found_status` (422, 200), `unknown_workspace_status` (403, 404).',
    bodies: { 'created-is-200': { created_status: 200 } },
  },
  'limits.get': {
    summary: 'Get the limits',
    description: 'How many requests a minute are answered.',
    answers: { usual: { data: { requests_per_minute: 120 } } },
  },
  'limits.set': {
    summary: 'Set the limits',
    description: 'How many requests a minute are answered: a whole number, or "off".',
    bodies: { few: { requests_per_minute: 5 }, off: { requests_per_minute: 'off' } },
    answers: { few: { data: { requests_per_minute: 5 } } },
  },
}
