/** Critical code, and the tests that must detect every mutant of it. */
export interface MutationTarget {
  readonly name: string
  readonly files: readonly string[]
  readonly tests: readonly string[]
}

const within = (folder: string, names: readonly string[]) => names.map((name) => `${folder}/${name}.ts`)

const attendance = 'packages/server/src/modules/hrms/attendance'
const serverTests = (...names: string[]) =>
  within(
    'packages/server/test',
    names.map((name) => `${name}.test`),
  )

export const mutationTargets: readonly MutationTarget[] = [
  {
    name: 'money',
    files: ['packages/server/src/modules/crm/money.ts'],
    tests: ['packages/server/src/modules/crm/money.test.ts'],
  },
  {
    name: 'attendance',
    files: [
      ...within(attendance, ['pair-punches', 'repair-window', 'punch-timestamp']),
      'packages/server/src/core/zones.ts',
    ],
    tests: [
      ...within(attendance, ['pair-punches.test', 'repair-window.test', 'punch-timestamp.test', 'device-time.test']),
      'packages/server/src/core/zones.test.ts',
    ],
  },
  {
    name: 'signature',
    files: within('packages/webhooks/src', [
      'verify',
      'verify-request',
      'sign',
      'signature-headers',
      'signatures',
      'secrets',
      'tolerance',
      'raw-bytes',
      'header',
      'parse',
    ]),
    tests: [
      ...within('packages/webhooks/test', ['verify.test', 'refusals.test', 'handler.test', 'schema.test']),
      ...within('packages/webhooks/src', ['parse.test', 'event.test']),
    ],
  },
  {
    name: 'authorization',
    files: [
      ...within('packages/server/src/http', ['bearer', 'admin-access']),
      'packages/server/src/core/admin-caller.ts',
      'packages/server/src/modules/tokens/access-service.ts',
    ],
    tests: serverTests('admin-access', 'admin-callers', 'audit-log', 'authentication', 'order-of-checks', 'sign-in'),
  },
  {
    name: 'delivery',
    files: [
      ...within('packages/server/src/delivery/worker', ['retry-decision', 'outcome']),
      ...within('packages/server/src/delivery/queues', ['health']),
    ],
    tests: serverTests('delivery/schedule', 'delivery/retry-decisions', 'delivery/outcomes', 'delivery/health'),
  },
  {
    name: 'outbox',
    files: ['packages/server/src/delivery/outbox/outbox.ts'],
    tests: serverTests(
      'delivery/sending',
      'delivery/subscriptions',
      'delivery/admin-http',
      'delivery/settings',
      'delivery/subscribers-curl',
      'delivery/schedule',
      'testing/trigger',
    ),
  },
]
