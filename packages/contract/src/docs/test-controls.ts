import type { DocsOf } from '../route-docs.ts'
import type { controlRoutes } from '../test-controls.ts'

const frozen = { frozen: { data: { now: '2026-11-20T18:51:53.123Z', frozen: true } } }
const match = { operation: 'tickets.create' } as const

/** Summary, description and examples of each control. */
export const controlDocs: DocsOf<typeof controlRoutes> = {
  'state.reset': {
    summary: 'Reset',
    description: 'Resets everything to the seed, or with `only`, just those parts.',
    bodies: { everything: {}, 'only-faults': { only: ['faults'] } },
  },
  'state.snapshot': {
    summary: 'Take a snapshot',
    description: 'The whole state as bytes, which can be restored here or elsewhere.',
  },
  'state.restore': { summary: 'Restore a snapshot', description: 'Continues from a snapshot.', bodies: {} },
  'state.settled': {
    summary: 'Wait until all work is done',
    description: 'Answers when no request, delivery, retry or job is running or due.',
  },
  'states.list': {
    summary: 'List saved states',
    description: 'Their names.',
    responses: { states: { data: ['paid-order'] } },
  },
  'states.save': { summary: 'Save the state', description: 'Stores the state under a name until the server closes.' },
  'states.load': { summary: 'Load a state', description: 'Continues from a state that was saved.' },
  'forks.open': {
    summary: 'Fork the server',
    description:
      'Starts another server with the same state below a path of this one, such as `/forks/1`, so that tests can run in parallel. It starts with the data, clock, faults, and settings of this one. Up to 100 forks are open, including forks of forks. A fork that was unused for an hour is closed when the next one is opened.',
  },
  'forks.close': {
    summary: 'Close a fork',
    description:
      'Ends the server and its own forks. Its addresses then answer 404, also to calls that wait in it. If it found contract violations that were not verified, they are the message of a 409, and the fork is closed, too.',
  },
  'clock.get': {
    summary: 'Get the time',
    description: "The server's time, and whether the clock is frozen.",
    responses: frozen,
  },
  'clock.set': {
    summary: 'Set the clock',
    description: 'To an instant (ISO 8601 with an offset). Work that becomes due until then is done first.',
    bodies: { instant: { at: '2026-11-20T18:51:53Z' } },
    responses: frozen,
  },
  'clock.advance': {
    summary: 'Advance the clock',
    description:
      'By a duration such as "25h", or a number of milliseconds. Work that becomes due until then is done first.',
    bodies: { duration: { by: '25h' }, milliseconds: { by: 1500 } },
    responses: frozen,
  },
  'clock.freeze': {
    summary: 'Freeze the clock',
    description: 'Now, or at an instant.',
    bodies: { now: {}, instant: { at: '2026-11-20T18:51:53Z' } },
    responses: frozen,
  },
  'clock.unfreeze': {
    summary: 'Unfreeze the clock',
    description: 'It continues from its current time.',
    responses: { running: { data: { now: '2026-11-20T18:51:53.123Z', frozen: false } } },
  },
  'seeded.get': { summary: 'Get the seeded data', description: 'Workspaces, tokens and secrets.' },
  'factories.create': {
    summary: 'Create a thing',
    description: 'A ticket, task, workspace, token and so on. Missing dependencies are created too.',
    bodies: { defaults: {}, 'with-values': { title: 'Checkout fails with a coupon' } },
  },
  'tokens.issue': {
    summary: 'Issue a token',
    description: 'With every scope, unless `scopes` lists some. Only this response contains its text.',
    bodies: { 'every-scope': {}, 'one-scope': { scopes: ['tickets:read'], expires_in: '1h' } },
  },
  'faults.list': {
    summary: 'List faults',
    description: 'In the order in which they are tried, with the number of hits of each.',
  },
  'faults.add': {
    summary: 'Add a fault',
    description: 'Makes requests fail that `match`. The other fields say how.',
    bodies: {
      unavailable: { match: { operation: 'tickets.create' }, respond: 503, times: 1 },
      slow: { bytes_per_second: 1000 },
    },
  },
  'faults.clear': { summary: 'Remove all faults', description: 'Requests that a fault delays continue.' },
  'faults.remove': { summary: 'Remove a fault', description: 'Requests no longer match it.' },
  'journal.list': {
    summary: 'List requests',
    description:
      'Every request since the last reset, or the matching ones, with secrets masked and the rows that they changed.',
  },
  'journal.clear': { summary: 'Clear the journal', description: 'Deletes the recorded requests.' },
  'journal.expect': {
    summary: 'Expect requests',
    description:
      'The matching requests. Answers 409 with the nearest miss if there are none, or not as many as `times`.',
    bodies: { some: { match }, 'exactly-one': { match, times: 1 } },
  },
  'journal.wait': {
    summary: 'Wait for a request',
    description: 'Answers with the first matching request as soon as it arrives, or with 409 after `timeout_ms`.',
    bodies: { 'five-seconds': { match, timeout_ms: 5000 } },
  },
  'journal.verify': {
    summary: 'Verify the contract',
    description: 'Answers 409 with the contract violations found since the last call.',
  },
  'inboxes.open': {
    summary: 'Open an inbox',
    description: 'Subscribes an inbox inside the server to events: names, families such as `ticket.*`, or `*`.',
    bodies: { everything: {}, tickets: { events: ['ticket.*'] } },
  },
  'inboxes.next': {
    summary: 'Wait for an event',
    description:
      'The next event, as soon as it arrives. After `timeout_ms` the answer is 409 with the events that came instead.',
    bodies: { any: {}, ticket: { event: 'ticket.created', timeout_ms: 1000 } },
  },
  'inboxes.list': { summary: 'List events', description: 'Every event that the inbox has received.' },
  'inboxes.deliveries': {
    summary: 'List deliveries',
    description: 'The deliveries to the inbox, with their attempts and outcomes.',
  },
  'inboxes.respondWith': {
    summary: 'Set the next answers',
    description: 'The responses of the inbox to the next requests, in order: statuses, or "timeout". Afterwards 200.',
    bodies: { 'fail-twice': { answers: [500, 'timeout'] } },
  },
  'inboxes.close': { summary: 'Close an inbox', description: 'Ends its subscriptions.' },
  'deliveryFaults.add': {
    summary: 'Disturb deliveries',
    description: 'Duplicates, delays, reorders, alters or drops deliveries.',
    bodies: { twice: { duplicate: 1 }, forged: { bad_signature: true, times: 1 } },
  },
  'deliveryFaults.remove': { summary: 'Stop disturbing deliveries', description: 'Removes one of the disturbances.' },
  'events.trigger': {
    summary: 'Trigger an event',
    description:
      'Creates or changes a real object, so that the platform emits the event. Answers with the body that is sent.',
    bodies: { ticket: { event: 'ticket.created' } },
  },
  'quirks.get': {
    summary: 'Get the quirks',
    description: 'Which interpretation applies where the specification is ambiguous.',
  },
  'quirks.set': {
    summary: 'Set quirks',
    description:
      '`created_status` (201, 200), `device_not_found_status` (422, 200), `unknown_workspace_status` (403, 404).',
    bodies: { 'created-is-200': { created_status: 200 } },
  },
  'limits.get': {
    summary: 'Get the limits',
    description: 'How many requests per minute are answered.',
    responses: { usual: { data: { requests_per_minute: 120 } } },
  },
  'limits.set': {
    summary: 'Set the limits',
    description: 'How many requests per minute are answered: a whole number, or "off".',
    bodies: { few: { requests_per_minute: 5 }, off: { requests_per_minute: 'off' } },
    responses: { few: { data: { requests_per_minute: 5 } } },
  },
}
