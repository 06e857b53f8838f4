import type { Clock } from '../../clock.ts'
import type { Findings } from '../contract/findings.ts'
import type { Visit } from '../visit.ts'
import { type ExpectOptions, excuse, expectRequest } from './expect-request.ts'
import { describeExpected, type ExpectedRequest, isExpected } from './expected-request.ts'
import { type JournalEntry, toEntry } from './journal-entry.ts'
import { keep } from './keep.ts'
import type { Kept } from './kept.ts'
import { describeAll } from './near-miss.ts'
import { createShelf, type JournalOptions } from './shelf.ts'
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
  record(visit: Visit, answer: () => Promise<Response>): Promise<Response>
  /** Whoever still waits is told that nothing comes any more. */
  close(): void
}

export interface JournalParts {
  readonly clock: Clock
  /** False keeps nothing. */
  readonly options: JournalOptions | false
  readonly findings: Findings
}

export function createJournalLayer({ clock, options, findings }: JournalParts): JournalLayer {
  const shelf = createShelf(options === false ? { limit: 0 } : options)
  const waiting = createWaiting<Kept>()
  let sequence = 0
  const keeper = {
    clock,
    came: shelf.add,
    answered(kept: Kept) {
      findings.check(kept)
      shelf.weigh(kept)
      waiting.tell(kept)
    },
  }
  const all = () => {
    if (options !== false) return shelf.all
    throw new TypeError('This server keeps no journal: start it in memory, or with the option `journal: true`.')
  }
  return {
    journal: {
      entries: () => all().map(toEntry),
      find: (match = {}) =>
        all()
          .filter((kept) => isExpected(match, kept))
          .map(toEntry),
      clear() {
        shelf.clear()
        sequence = 0
      },
    },
    expectRequest: (match, expectOptions) => expectRequest(all(), match, expectOptions).map(toEntry),
    async waitFor(match, waitOptions = {}) {
      const isIt = (kept: Kept) => kept.durationMs !== undefined && isExpected(match, kept)
      const explain = () => `No request like ${describeExpected(match)} came. ${describeAll(all())}`
      const kept = all().find(isIt) ?? (await waiting.until(isIt, { ...waitOptions, explain }))
      excuse(match, kept)
      return toEntry(kept)
    },
    record(visit, answer) {
      if (options === false && !findings.isLooking) return answer()
      sequence += 1
      return keep(visit, answer, { ...keeper, sequence })
    },
    close: () => waiting.giveUp('The server was closed before such a request came.'),
  }
}
