import { AssertionError } from 'node:assert'
import type { Clock } from '../../core/clock.ts'
import { requireKnown } from '../../core/known-keys.ts'
import type { ContractViolations } from '../contract/contract-violations.ts'
import type { ObservedRequest } from '../observed-request.ts'
import {
  checkExpected,
  describeAll,
  describeExpected,
  describeKept,
  describeNearMiss,
  type ExpectedRequest,
  isExpected,
  nearMiss,
} from './expected-request.ts'
import { type JournalEntry, type RecordedRequest, toEntry } from './journal-entry.ts'
import { recordRequest } from './recorder.ts'
import { createWaiting, type WaitOptions } from './wait.ts'

/** Every request that came, oldest first, as far as the journal reaches. */
export interface Journal {
  entries(): readonly JournalEntry[]
  find(match?: ExpectedRequest): readonly JournalEntry[]
  clear(): void
}

/** What the journal lets a test say about requests. */
export interface RequestControls {
  readonly journal: Journal
  /**
   * The requests that fit. Throws with the closest one and where it differs when there is none, or when there are not as
   * many as `times` says.
   */
  expectRequest(match: ExpectedRequest, options?: ExpectOptions): readonly JournalEntry[]
  /** The first request that fits, now or as soon as it has come and is answered; never polls. */
  waitFor(match: ExpectedRequest, options?: WaitOptions): Promise<JournalEntry>
}

export interface JournalLayer extends RequestControls {
  record(observed: ObservedRequest, answer: () => Promise<Response>): Promise<Response>
  /** Calls that still wait reject. */
  close(): void
}

export interface JournalParts {
  readonly clock: Clock
  /** False keeps nothing. */
  readonly options: JournalOptions | false
  readonly violations: ContractViolations
}

export function createJournalLayer({ clock, options, violations }: JournalParts): JournalLayer {
  const buffer = createRingBuffer(options === false ? { limit: 0 } : options)
  const waiting = createWaiting<RecordedRequest>()
  let sequence = 0
  const recorder = {
    clock,
    onRequest: buffer.add,
    onResponse(recorded: RecordedRequest) {
      violations.check(recorded)
      buffer.trim(recorded)
      waiting.giveToAll(recorded)
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
        sequence = 0
      },
    },
    expectRequest: (match, expectOptions) => expectRequest(all(), match, expectOptions).map(toEntry),
    async waitFor(match, waitOptions = {}) {
      checkExpected(match)
      requireKnown(waitOptions, ['timeout'], 'waitFor')
      const isIt = (recorded: RecordedRequest) => recorded.durationMs !== undefined && isExpected(match, recorded)
      const { timeout: timeoutMs = 5000 } = waitOptions
      const explain = () =>
        `No request like ${describeExpected(match)} came. ${describeAll(all())} (waited ${timeoutMs} ms)`
      const recorded = all().find(isIt) ?? (await waiting.until(isIt, { timeoutMs, explain }))
      excuse(match, recorded)
      return toEntry(recorded)
    },
    record(observed, answer) {
      if (options === false && !violations.isLooking) return answer()
      sequence += 1
      return recordRequest(observed, answer, { ...recorder, sequence })
    },
    close: () => waiting.giveUp(new Error('The server was closed before such a request came.')),
  }
}

/** How often an expected request must have come. */
export interface ExpectOptions {
  /** How often exactly; at least once when left out. */
  readonly times?: number | undefined
}

/** Throws an AssertionError that shows the near miss, or gives back all that fit. */
function expectRequest(
  all: readonly RecordedRequest[],
  match: ExpectedRequest,
  options: ExpectOptions = {},
): RecordedRequest[] {
  checkExpected(match)
  requireKnown(options, ['times'], 'expectRequest')
  const { times } = options
  const fitting = all.filter((recorded) => isExpected(match, recorded))
  for (const recorded of fitting) excuse(match, recorded)
  if (times === undefined ? fitting.length > 0 : fitting.length === times) return fitting
  throw new AssertionError({
    message: explain(all, match, { times, fitting }),
    actual: fitting.length,
    expected: times ?? 'at least 1',
    operator: 'expectRequest',
  })
}

/** A refusal that a test requests by its status is expected. */
function excuse({ status }: ExpectedRequest, recorded: RecordedRequest): void {
  if (status !== undefined) recorded.expected = true
}

interface Outcome {
  readonly times: number | undefined
  readonly fitting: readonly RecordedRequest[]
}

function explain(all: readonly RecordedRequest[], match: ExpectedRequest, { times, fitting }: Outcome): string {
  const wanted = `Expected ${times === undefined ? 'a request' : count(times)} like ${describeExpected(match)}`
  if (fitting.length > 0) {
    const came = fitting.map((recorded) => `  ${describeKept(recorded)}`)
    return [`${wanted}, but ${count(fitting.length)} came:`, ...came].join('\n')
  }
  const closest = nearMiss(match, all)
  if (closest === undefined) return `${wanted}. No request came at all.`
  return [`${wanted}, but none of ${count(all.length)} fits.`, describeNearMiss(closest), describeAll(all)].join('\n')
}

const count = (requests: number) => (requests === 1 ? '1 request' : `${requests} requests`)

/** How much a journal keeps. */
export interface JournalOptions {
  /** Number of requests; the oldest are dropped first. 1000 by default. */
  readonly limit?: number
  /** Bytes of one body; longer ones are not kept. 65,536 by default. */
  readonly bodyLimit?: number
}

/** The requests that are kept, oldest first. */
interface RingBuffer {
  readonly all: readonly RecordedRequest[]
  add(recorded: RecordedRequest): void
  /** Call this once the bodies are known. The total size of all bodies is limited too: the oldest are dropped first. */
  trim(recorded: RecordedRequest): void
  clear(): void
}

/** A thousand lists of fifty tickets would be 12 MB that no test reads. */
const largestBodies = 2 * 1024 * 1024

function createRingBuffer({ limit = 1000, bodyLimit = 65_536 }: JournalOptions): RingBuffer {
  const all: RecordedRequest[] = []
  return {
    all,
    add(recorded) {
      all.push(recorded)
      if (all.length > limit) all.shift()
    },
    trim(recorded) {
      if (lengthOf(recorded.body) > bodyLimit) recorded.body = undefined
      if (lengthOf(recorded.answer) > bodyLimit) recorded.answer = undefined
      let total = 0
      for (const kept of all) total += sizeOf(kept)
      for (const oldest of all) {
        if (total <= largestBodies) return
        total -= sizeOf(oldest)
        oldest.body = undefined
        oldest.answer = undefined
      }
    },
    clear() {
      all.length = 0
    },
  }
}

const sizeOf = ({ body, answer }: RecordedRequest) => lengthOf(body) + lengthOf(answer)

const lengthOf = (body: Uint8Array | string | undefined) => body?.length ?? 0
