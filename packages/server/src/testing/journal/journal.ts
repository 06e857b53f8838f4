import type { Clock } from '../../core/clock.ts'
import { requireKnown } from '../../core/known-keys.ts'
import type { ContractViolations } from '../contract/contract-violations.ts'
import type { ObservedRequest } from '../observed-request.ts'
import { type ExpectOptions, excuse, expectRequest } from './expect-request.ts'
import { checkExpected, describeExpected, type ExpectedRequest, isExpected } from './expected-request.ts'
import { type JournalEntry, toEntry } from './journal-entry.ts'
import { describeAll } from './near-miss.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { recordRequest } from './recorder.ts'
import { createRingBuffer, type JournalOptions } from './ring-buffer.ts'
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
  record(visit: ObservedRequest, answer: () => Promise<Response>): Promise<Response>
  /** Whoever still waits is told that nothing comes any more. */
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
      waiting.tell(recorded)
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
      const explain = () => `No request like ${describeExpected(match)} came. ${describeAll(all())}`
      const recorded = all().find(isIt) ?? (await waiting.until(isIt, { ...waitOptions, explain }))
      excuse(match, recorded)
      return toEntry(recorded)
    },
    record(visit, answer) {
      if (options === false && !violations.isLooking) return answer()
      sequence += 1
      return recordRequest(visit, answer, { ...recorder, sequence })
    },
    close: () => waiting.giveUp('The server was closed before such a request came.'),
  }
}
