import type { Clock } from '../../core/clock.ts'
import { machineTimeMs, stopwatchMs } from '../../core/real-timers.ts'
import { captureRequest, type RequestCapture, type TransactionObserver } from '../../core/request-capture.ts'
import type { ObservedRequest } from '../observed-request.ts'
import { transportOf } from '../transport.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { addCounts, countRows, type RowCounts } from './row-counts.ts'
import { readUnread, readWhole } from './unread-body.ts'

/** What is told about a request on its way. */
export interface Recorder {
  onRequest(recorded: RecordedRequest): void
  onResponse(recorded: RecordedRequest): void
}

/** Writes down a request and what became of it, and gives its answer on untouched. */
export async function recordRequest(
  visit: ObservedRequest,
  answer: () => Promise<Response>,
  { onRequest: came, onResponse: answered, ...when }: Recorder & { readonly clock: Clock; readonly sequence: number },
): Promise<Response> {
  const rows: RowCounts = new Map()
  const capture: RequestCapture = { open: true, observeTransaction: () => countChanges(rows, () => capture.open) }
  const recorded = begin(visit, rows, when)
  const startedAt = stopwatchMs()
  came(recorded)
  try {
    const response = await captureRequest(capture, answer)
    recorded.status = response.status
    recorded.answerHeaders = response.headers
    recorded.answer = visit.fault === undefined ? capture.answer : await readWhole(response)
    return response
  } catch (thrown) {
    recorded.failure = codeOf(thrown)
    throw thrown
  } finally {
    capture.open = false
    recorded.durationMs = stopwatchMs() - startedAt
    recorded.fault = visit.fault
    recorded.tokenId = capture.caller?.tokenId
    recorded.body = capture.body ?? (visit.env === undefined ? await readUnread(visit.request) : undefined)
    forget(capture)
    answered(recorded)
  }
}

/** What lingers may hold on to the trace for long: it shall not keep the bodies with it. */
function forget(capture: RequestCapture): void {
  capture.body = undefined
  capture.answer = undefined
}

/** Adds up the rows that a transaction changes, once it commits, as long as the request is not answered. */
function countChanges(total: RowCounts, isOpen: () => boolean): TransactionObserver {
  const rows: RowCounts = new Map()
  return {
    statementRan: (sql, count) => countRows(rows, sql, count),
    committed() {
      if (isOpen()) addCounts(total, rows)
    },
  }
}

function begin(
  { request, method, path, operation, env }: ObservedRequest,
  rows: RowCounts,
  { clock, sequence }: { readonly clock: Clock; readonly sequence: number },
): RecordedRequest {
  return {
    sequence,
    at: clock.now(),
    realMs: machineTimeMs(),
    transport: transportOf(request, env),
    method,
    path,
    query: queryOf(request.url),
    operation,
    request: { headers: request.headers },
    rows,
    tokenId: undefined,
    body: undefined,
    status: undefined,
    answerHeaders: undefined,
    answer: undefined,
    durationMs: undefined,
    fault: undefined,
    failure: undefined,
    violations: [],
    expected: false,
  }
}

const queryOf = (url: string) => /\?([^#]*)/.exec(url)?.[1] ?? ''

/** `ECONNRESET` of undici's `TypeError: fetch failed`, else what was said. */
function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const { cause } = thrown
  return cause instanceof Error && 'code' in cause ? String(cause.code) : thrown.message
}
