import type { DocsOf } from '../../route-docs.ts'
import type { inboxControlRoutes } from '../../test-controls/inboxes.ts'

/** Documentation of the controls of inboxes and deliveries. */
export const inboxControlDocs: DocsOf<typeof inboxControlRoutes> = {
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
}
