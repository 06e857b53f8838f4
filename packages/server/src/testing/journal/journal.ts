import { AssertionError } from 'node:assert'
import type { Clock } from '../../core/clock.ts'
import { ApiError } from '../../core/errors.ts'
import { requireKnown } from '../../core/known-keys.ts'
import { toMicros } from '../duration.ts'
import type { ObservedRequest } from '../observed-request.ts'
import type { StateHistory } from '../state-history.ts'
import { noteOperation, type TestCoverage } from '../test-coverage.ts'
import { createWaiters, type WaitOptions } from '../wait.ts'
import type { CompareOptions, HarComparison } from './compare-har.ts'
import type { ContractViolations } from './contract-violations.ts'
import {
  checkExpected,
  describeAll,
  describeExpected,
  describeNearMiss,
  describeRecorded,
  type ExpectedRequest,
  isExpected,
  nearMiss,
} from './expected-request.ts'
import { type Har, toHar } from './har.ts'
import { type JournalEntry, type RecordedRequest, toEntry } from './journal-entry.ts'
import { recordRequest } from './recorder.ts'

/** Every recorded request, oldest first. */
export interface Journal {
  /** All recorded requests. */
  entries(): readonly JournalEntry[]
  /** The requests that match, or all. */
  find(match?: ExpectedRequest): readonly JournalEntry[]
  /** Forgets all recorded requests. */
  clear(): void
  /** The requests as an HTTP archive, with masked secrets. */
  toHAR(): Har
  /**
   * Sends the requests of a HAR that was recorded against a real platform to a copy of this server, and returns where
   * statuses, headers, and the shapes of bodies differ. A {@link TypeError} if it is not a HAR, or if no request of it
   * can be compared.
   */
  compareWith(har: Har, options: CompareOptions): Promise<HarComparison>
}

/** The journal without what needs a whole server. */
type RecordedJournal = Omit<Journal, 'compareWith'>

/** The journal's assertions. */
export interface RequestControls {
  /** The recorded requests with their responses and the rows that they changed. */
  readonly journal: Journal
  /**
   * Returns the matching requests. If there are none, or not exactly `times`, throws with the closest request and
   * its differences.
   */
  expectRequest(match: ExpectedRequest, options?: ExpectOptions): readonly JournalEntry[]
  /** The first matching request, past or future, once it has a response. Does not poll. */
  waitFor(match: ExpectedRequest, options?: WaitOptions): Promise<JournalEntry>
}

/** The same without a whole server. */
export interface RecordedControls extends Omit<RequestControls, 'journal'> {
  readonly journal: RecordedJournal
}

export interface JournalLayer extends RecordedControls {
  record(observed: ObservedRequest, answer: () => Promise<Response>): Promise<Response>
  /** Rejects pending `waitFor` calls and forgets all requests. */
  close(): void
}

export interface JournalParts {
  readonly clock: Clock
  /** False disables the journal. */
  readonly options: JournalOptions | false
  readonly violations: ContractViolations
  /** Stores the state before each write. */
  readonly history?: StateHistory | undefined
  readonly coverage: TestCoverage
}

export function createJournalLayer({ clock, options, violations, history, coverage }: JournalParts): JournalLayer {
  const buffer = createRingBuffer(options === false ? { limit: 0 } : options)
  const waiters = createWaiters<RecordedRequest>()
  let sequence = 0
  const recorder = {
    clock,
    onRequest: buffer.add,
    onResponse(recorded: RecordedRequest) {
      violations.check(recorded)
      noteOutcome(coverage, recorded)
      history?.settle(recorded.sequence, recorded.rows.size > 0)
      buffer.trim(recorded)
      waiters.resolveAll(recorded)
    },
  }
  const all = () => {
    if (options !== false) return buffer.all
    throw new TypeError('This server keeps no journal: start it in memory, or with the option `journal: true`.')
  }
  return {
    journal: {
      entries: () => all().map(toEntry),
      find(match = {}) {
        checkExpected(match)
        return all()
          .filter((recorded) => isExpected(match, recorded))
          .map(toEntry)
      },
      clear() {
        buffer.clear()
        history?.clear()
        // Otherwise an entry from before would name the state before another request.
        if (history === undefined) sequence = 0
      },
      toHAR: () => toHar(all().map(toEntry)),
    },
    expectRequest: (match, expectOptions) => expectRequest(all(), match, expectOptions).map(toEntry),
    async waitFor(match, waitOptions = {}) {
      checkExpected(match)
      requireKnown(waitOptions, ['timeout'], 'waitFor')
      const isMatch = (recorded: RecordedRequest) => recorded.durationMs !== undefined && isExpected(match, recorded)
      const timeoutMs = toMicros(waitOptions.timeout ?? 5000, 'timeout') / 1000
      const explain = () =>
        `No request like ${describeExpected(match)} arrived. ${describeAll(all())} (waited ${timeoutMs} ms)`
      const recorded = all().find(isMatch) ?? (await waiters.wait(isMatch, { timeoutMs, explain }))
      markExpected(match, recorded)
      return toEntry(recorded)
    },
    record(observed, answer) {
      if (options === false && !violations.isEnabled) return answer()
      sequence += 1
      const current = sequence
      const isRestorable = history !== undefined && !['GET', 'HEAD', 'OPTIONS'].includes(observed.method)
      const handle = isRestorable ? () => history.record(current).then(answer) : answer
      return recordRequest(observed, handle, { ...recorder, sequence })
    },
    close() {
      waiters.rejectAll(new ApiError('conflict', 'The server was closed before a matching request was received.'))
      // Test runners may keep a closed server until the end of the run.
      buffer.clear()
      history?.clear()
    },
  }
}

function noteOutcome(coverage: TestCoverage, { operation, status = 0, fault }: RecordedRequest): void {
  const hasFailed = status === 0 || status >= 400 || fault !== undefined
  if (operation !== undefined) noteOperation(coverage, operation.route.operation, hasFailed)
}

/** Options of an expectation. */
export interface ExpectOptions {
  /** The exact number; at least one by default. */
  readonly times?: number | undefined
}

/** Returns all matching requests, or throws an AssertionError that shows the closest one. */
function expectRequest(
  all: readonly RecordedRequest[],
  match: ExpectedRequest,
  options: ExpectOptions = {},
): RecordedRequest[] {
  checkExpected(match)
  requireKnown(options, ['times'], 'expectRequest')
  const { times } = options
  const matching = all.filter((recorded) => isExpected(match, recorded))
  for (const recorded of matching) markExpected(match, recorded)
  if (times === undefined ? matching.length > 0 : matching.length === times) return matching
  throw new AssertionError({
    message: explain(all, match, { times, matching }),
    actual: matching.length,
    expected: times ?? 'at least 1',
    operator: 'expectRequest',
  })
}

/** An error that a test expects by its status is not reported. */
function markExpected({ status }: ExpectedRequest, recorded: RecordedRequest): void {
  if (status !== undefined) recorded.expected = true
}

interface Outcome {
  readonly times: number | undefined
  readonly matching: readonly RecordedRequest[]
}

function explain(all: readonly RecordedRequest[], match: ExpectedRequest, { times, matching }: Outcome): string {
  const expectation = `Expected ${times === undefined ? 'a request' : count(times)} like ${describeExpected(match)}`
  if (matching.length > 0) {
    const lines = matching.map((recorded) => `  ${describeRecorded(recorded)}`)
    return [`${expectation}, but ${count(matching.length)} arrived:`, ...lines].join('\n')
  }
  const closest = nearMiss(match, all)
  if (closest === undefined) return `${expectation}. No requests were received.`
  return [`${expectation}, but none of ${count(all.length)} fits.`, describeNearMiss(closest), describeAll(all)].join(
    '\n',
  )
}

const count = (requests: number) => (requests === 1 ? '1 request' : `${requests} requests`)

/** The settings of a journal. */
export interface JournalOptions {
  /** The number of requests; the oldest are dropped first. Default: 1000. */
  readonly limit?: number | undefined
  /** The maximum size of a stored body in bytes. Default: 65,536. */
  readonly bodyLimit?: number | undefined
  /**
   * Stores the states before the last 100 requests that changed rows, for `restore({ before })`. Copies the database
   * for each of them, which takes about 2 ms. Default: false.
   */
  readonly restorable?: boolean | undefined
}

/** The stored requests, oldest first. */
interface RingBuffer {
  readonly all: readonly RecordedRequest[]
  add(recorded: RecordedRequest): void
  /** Call this when the bodies are known. The total size of all bodies is limited too; the oldest are dropped first. */
  trim(recorded: RecordedRequest): void
  clear(): void
}

/** A thousand lists of fifty tickets would use 12 MB. */
const maxBodiesBytes = 2 * 1024 * 1024

function createRingBuffer({ limit = 1000, bodyLimit = 65_536 }: JournalOptions): RingBuffer {
  const entries: RecordedRequest[] = []
  return {
    all: entries,
    add(recorded) {
      entries.push(recorded)
      if (entries.length > limit) entries.shift()
    },
    trim(recorded) {
      if (lengthOf(recorded.body) > bodyLimit) recorded.body = undefined
      if (lengthOf(recorded.answer) > bodyLimit) recorded.answer = undefined
      let total = 0
      for (const recorded of entries) total += sizeOf(recorded)
      for (const oldest of entries) {
        if (total <= maxBodiesBytes) return
        total -= sizeOf(oldest)
        oldest.body = undefined
        oldest.answer = undefined
      }
    },
    clear() {
      entries.length = 0
    },
  }
}

const sizeOf = ({ body, answer }: RecordedRequest) => lengthOf(body) + lengthOf(answer)

const lengthOf = (body: Uint8Array | string | undefined) => body?.length ?? 0
