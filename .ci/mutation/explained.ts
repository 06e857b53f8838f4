/** A mutant that no test can or should kill, and why. */
export interface ExplainedSurvivor {
  readonly file: string
  /** A part of the line that is changed. */
  readonly code: string
  /** What is put there, where not every change of the line is meant. */
  readonly becomes?: string
  readonly why: string
}

const unreachable = 'the default is for the compiler: split always gives a first part'
const money = 'packages/server/src/modules/crm/money.ts'
const timestamp = 'packages/server/src/modules/hrms/attendance/punch-timestamp.ts'
const localDay = 'packages/server/src/modules/hrms/attendance/local-day.ts'

const webhooks = (name: string) => `packages/webhooks/src/${name}.ts`
const keyCache = { file: webhooks('secrets'), why: 'a key that is made anew is the same key' }

const dispatch = (name: string) => `packages/server/src/delivery/dispatch/${name}.ts`
const http = (name: string) => `packages/server/src/http/${name}.ts`
const adminAccess = http('admin-access')
const adminCaller = 'packages/server/src/core/admin-caller.ts'
const outbox = 'packages/server/src/delivery/outbox/outbox.ts'
const unsaid = {
  file: dispatch('outcome'),
  becomes: '"Stryker was here!"',
  why: 'no fault that was thrown is of this kind',
}

export const explainedSurvivors: readonly ExplainedSurvivor[] = [
  { file: money, code: "[digits = '0'", becomes: '""', why: `${unreachable}; and an empty exponent is 0 too` },
  { file: money, code: "[whole = '0'", becomes: '""', why: unreachable },
  { file: money, code: "|| '0')", becomes: '""', why: 'Number of an empty text is 0' },
  {
    file: money,
    code: 'length < 0',
    becomes: 'length <= 0',
    why: 'numbers with an exponent have a length of −4 or less',
  },
  { file: localDay, code: 'if (known)', becomes: 'false', why: 'without its cache it gives the same, later' },
  { file: localDay, code: 'formatters.set(', why: 'without its cache it gives the same, later' },
  {
    ...{ file: timestamp, code: "fraction = ''", becomes: '"Stryker was here!"' },
    why: 'what is no number of microseconds is left out, as nothing is',
  },
  { file: timestamp, code: 'date === undefined || time', why: 'the expression finds both or neither' },
  {
    ...{ file: timestamp, code: 'time.replace(/60$/', becomes: '/60/' },
    why: 'a time with 60 minutes or hours is refused in the next line, whichever 60 is replaced',
  },
  { file: timestamp, code: "offset = 'Z'", becomes: '""', why: 'an empty offset is 0 too' },
  {
    ...{ file: webhooks('header'), code: 'key.length === name.length', becomes: 'true' },
    why: 'lengths are compared first only to save time',
  },
  {
    ...{ file: webhooks('raw-bytes'), code: 'body instanceof Uint8Array', becomes: 'false' },
    why: 'a Uint8Array is a view too, and the view of all of a view is the same',
  },
  { ...keyCache, code: 'if (known)', becomes: 'false' },
  { ...keyCache, code: 'keys.size > 99' },
  { ...keyCache, code: 'keys.set(' },
  { file: webhooks('sign'), code: "encoding = 'hex'", becomes: '""', why: 'what is neither of the other two is hex' },
  {
    ...{ file: webhooks('signature-headers'), code: "'webhook-timestamp') ?? ''", becomes: '"Stryker was here!"' },
    why: 'only digits are a timestamp, so either text is refused',
  },
  {
    ...{ file: webhooks('signatures'), code: 'if (only)', becomes: 'false' },
    why: 'the loop below finds it too, later',
  },
  {
    ...{ file: webhooks('tolerance'), code: 'ageSeconds > 0', becomes: 'ageSeconds >= 0' },
    why: 'an age of 0 is over no tolerance',
  },
  {
    ...{ file: webhooks('verify'), code: 'if (replayProtected)', becomes: 'true' },
    why: 'what has no time has an age of NaN, which is over no tolerance',
  },
  {
    ...{ file: adminCaller, code: 'user?.id', becomes: 'user.id' },
    why: 'who creates something and is not the instance is somebody',
  },
  {
    file: adminAccess,
    code: "role: 'public'",
    becomes: '""',
    why: 'nobody asks for the role of who has passed by a scope',
  },
  {
    ...{ file: http('bearer'), code: 'authorization === null ? undefined', becomes: 'false' },
    why: 'the text "null" shows no token either',
  },
  {
    ...{ file: dispatch('health'), code: 'health.failuresInARow > 0 ? firstSendLimit' },
    why: 'a limit below the first one always follows a failure',
  },
  {
    ...{ file: dispatch('health'), code: 'lastFailureAt === null) return true', becomes: 'false' },
    why: 'where there is no last failure, nothing has been failing since',
  },
  {
    ...{ file: dispatch('health'), code: 'lastFailureAt === null) return false', becomes: 'false' },
    why: 'counted from 1970, every failure lies behind every mark',
  },
  {
    ...{ file: outbox, code: 'app.store.noteWorkspaces([workspaceId])', becomes: '[]' },
    why: 'each of its callers has named the workspace already',
  },
  { file: outbox, code: 'if (toBeSent)', becomes: 'true', why: 'a worker that is woken for nothing finds nothing' },
  {
    ...{ file: outbox, code: 'deliveryRetentionDays * microsPerDay' },
    why: 'the upkeep that is woken too early finds nothing, and sees for itself when there will be something',
  },
  { file: outbox, code: 'if (target === undefined || delivery', why: 'who asks has found both just before' },
  { file: outbox, code: 'hydrateQueue(app, target', becomes: '{}', why: 'a request that is not sent has no lease' },
  { ...unsaid, code: "ok: ''" },
  { ...unsaid, code: "blocked: ''" },
  { ...unsaid, code: "redirect: ''" },
  { ...unsaid, code: "status: ''" },
]
