import { AssertionError } from 'node:assert'
import { requireKnown } from '../../core/known-keys.ts'
import { checkExpected, describeExpected, type ExpectedRequest, isExpected } from './expected-request.ts'
import { describeAll, describeKept, describeNearMiss, nearMiss } from './near-miss.ts'
import type { RecordedRequest } from './recorded-request.ts'

/** How often an expected request must have come. */
export interface ExpectOptions {
  /** How often exactly; at least once when left out. */
  readonly times?: number | undefined
}

/** Throws an AssertionError that shows the near miss, or gives back all that fit. */
export function expectRequest(
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

/** Whoever asks for a refusal by its status has expected it. */
export function excuse({ status }: ExpectedRequest, recorded: RecordedRequest): void {
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
