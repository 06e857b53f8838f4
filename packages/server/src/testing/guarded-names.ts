import type { GuardedNames } from '../runtime/refuse-after-close.ts'

/** Groups all of whose functions give promises. */
const asynchronous = new Set(['admin', 'create', 'createMany', 'tokens', 'states', 'deliveries'])

/** Other functions that give promises. */
const promising = new Set([
  ...[
    'fetch',
    'listen',
    'dashboardUrl',
    'fork',
    'reset',
    'snapshot',
    'restore',
    'settled',
    'trigger',
    'waitFor',
    'next',
    'deliveries',
  ],
  ...['set', 'advance', 'freeze'].map((name) => `clock.${name}`),
])

/** What of a test server behaves how once it is closed. */
export const testServerNames: GuardedNames = {
  always: ['close', 'url', 'secret', 'all', 'arrivals', 'ready', 'origin'],
  givesPromise(path) {
    const [group = '', ...rest] = path.split('.')
    const isPlain = rest.length === 0 || group === 'inbox'
    return (
      promising.has(path) ||
      (asynchronous.has(group) && path !== 'states.list') ||
      (isPlain && promising.has(rest.at(-1) ?? group))
    )
  },
  resultOf: (path) => (path === 'webhooks.capture' ? 'inbox' : undefined),
}
