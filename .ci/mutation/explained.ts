/** A mutant that no test can kill, and the reason. */
export interface ExplainedSurvivor {
  readonly file: string
  /** Part of the original line. */
  readonly code: string
  /** The replacement, if only one mutant of the line is meant. */
  readonly replacement?: string
  readonly reason: string
}

const unreachable = 'only the compiler needs the default: split always returns a first part'
const money = 'packages/server/src/modules/crm/money.ts'
const timestamp = 'packages/server/src/modules/hrms/attendance/punch-timestamp.ts'
const zones = 'packages/server/src/core/zones.ts'

const webhooks = (name: string) => `packages/webhooks/src/${name}.ts`
const keyCache = { file: webhooks('secrets'), reason: 'a new key equals the cached one' }

const delivery = (name: string) => `packages/server/src/delivery/${name}.ts`
const http = (name: string) => `packages/server/src/http/${name}.ts`
const adminAccess = http('admin-access')
const adminCaller = 'packages/server/src/core/admin-caller.ts'
const outbox = 'packages/server/src/delivery/outbox/outbox.ts'
const unusedMessage = {
  file: delivery('worker/outcome'),
  replacement: '"Stryker was here!"',
  reason: 'no thrown error has this kind',
}

export const explainedSurvivors: readonly ExplainedSurvivor[] = [
  { file: money, code: "[digits = '0'", replacement: '""', reason: `${unreachable}, and an empty exponent is also 0` },
  { file: money, code: "[whole = '0'", replacement: '""', reason: unreachable },
  { file: money, code: "|| '0')", replacement: '""', reason: 'Number of an empty string is 0' },
  {
    file: money,
    code: 'length < 0',
    replacement: 'length <= 0',
    reason: 'numbers with an exponent have a length of −4 or less',
  },
  { file: zones, code: 'formatters.set(', reason: 'without the cache, the result is the same but slower' },
  {
    ...{ file: timestamp, code: "fraction = ''", replacement: '"Stryker was here!"' },
    reason: 'an invalid fraction is ignored like a missing one',
  },
  { file: timestamp, code: 'date === undefined || time', reason: 'the expression matches both or neither' },
  {
    ...{ file: timestamp, code: 'time.replace(/60$/', replacement: '/60/' },
    reason: 'the next line rejects a time with 60 minutes or hours, whichever 60 is replaced',
  },
  { file: timestamp, code: "offset = 'Z'", replacement: '""', reason: 'an empty offset is also 0' },
  {
    ...{ file: webhooks('header'), code: 'key.length === name.length', replacement: 'true' },
    reason: 'comparing lengths first is only faster',
  },
  {
    ...{ file: webhooks('raw-bytes'), code: 'body instanceof Uint8Array', replacement: 'false' },
    reason: 'a Uint8Array is also a view, with the same bytes',
  },
  { ...keyCache, code: 'if (known)', replacement: 'false' },
  { ...keyCache, code: 'keys.size > 99' },
  { ...keyCache, code: 'keys.set(' },
  { file: webhooks('sign'), code: "encoding = 'hex'", replacement: '""', reason: 'any other value means hex' },
  {
    ...{ file: webhooks('signature-headers'), code: "'webhook-timestamp') ?? ''", replacement: '"Stryker was here!"' },
    reason: 'both strings are rejected, because a timestamp has only digits',
  },
  {
    ...{ file: webhooks('signatures'), code: 'if (only)', replacement: 'false' },
    reason: 'the loop below also finds it, but slower',
  },
  {
    ...{ file: webhooks('tolerance'), code: 'ageSeconds > 0', replacement: 'ageSeconds >= 0' },
    reason: 'an age of 0 never exceeds the tolerance',
  },
  {
    ...{ file: webhooks('verify'), code: 'if (replayProtected)', replacement: 'true' },
    reason: 'without a time, the age is NaN, which never exceeds the tolerance',
  },
  {
    ...{ file: adminCaller, code: 'user?.id', replacement: 'user.id' },
    reason: 'only the instance creates records without a user',
  },
  {
    file: adminAccess,
    code: "role: 'public'",
    replacement: '""',
    reason: 'the role is not read after a scope has granted access',
  },
  {
    ...{ file: http('bearer'), code: 'authorization === null ? undefined', replacement: 'false' },
    reason: 'the string "null" contains no token',
  },
  {
    ...{ file: delivery('queues/health'), code: 'health.failuresInARow > 0 ? firstSendLimit' },
    reason: 'a limit below the first one always follows a failure',
  },
  {
    ...{ file: delivery('queues/health'), code: 'lastFailureAt === null) return true', replacement: 'false' },
    reason: 'without a last failure, no failure period exists',
  },
  {
    ...{ file: delivery('queues/health'), code: 'lastFailureAt === null) return false', replacement: 'false' },
    reason: 'counted from 1970, every failure is before every threshold',
  },
  {
    ...{ file: outbox, code: 'app.store.noteWorkspaces([workspaceId])', replacement: '[]' },
    reason: 'all callers have already noted the workspace',
  },
  {
    file: outbox,
    code: 'if (toBeSent)',
    replacement: 'true',
    reason: 'a worker that wakes up without work finds nothing',
  },
  {
    ...{ file: outbox, code: 'deliveryRetentionDays * microsPerDay' },
    reason: 'maintenance that wakes up too early finds nothing and schedules its next run',
  },
  { file: outbox, code: 'if (target === undefined || delivery', reason: 'the caller has just found both' },
  {
    file: outbox,
    code: 'hydrateQueue(app, target',
    replacement: '{}',
    reason: 'a request that is not sent has no lease',
  },
  { ...unusedMessage, code: "ok: ''" },
  { ...unusedMessage, code: "blocked: ''" },
  { ...unusedMessage, code: "redirect: ''" },
  { ...unusedMessage, code: "status: ''" },
]
