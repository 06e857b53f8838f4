import type { Clock } from '../../core/clock.ts'
import { machineTimeMs, setImmediate, stopwatchMs } from '../../core/clock.ts'
import { captureRequest, type RequestCapture, type TransactionObserver } from '../../core/request-capture.ts'
import { type ObservedRequest, transportOf } from '../observed-request.ts'
import type { RecordedRequest } from './journal-entry.ts'
import { addCounts, countRows, type RowCounts } from './row-counts.ts'

export interface Recorder {
  readonly clock: Clock
  readonly sequence: number
  onRequest(recorded: RecordedRequest): void
  onResponse(recorded: RecordedRequest): void
}

/** Records a request and its outcome, and returns the response unchanged. */
export async function recordRequest(
  observed: ObservedRequest,
  answer: () => Promise<Response>,
  { onRequest, onResponse, clock, sequence }: Recorder,
): Promise<Response> {
  const rows: RowCounts = new Map()
  const capture: RequestCapture = { open: true, observeTransaction: () => countChanges(rows, () => capture.open) }
  const recorded = createRecord(observed, rows, { sequence, at: clock.now() })
  const startedAt = stopwatchMs()
  onRequest(recorded)
  try {
    const response = await captureRequest(capture, answer)
    recorded.status = response.status
    recorded.answerHeaders = response.headers
    recorded.answer = observed.fault === undefined ? capture.answer : await readResponseBody(response)
    return response
  } catch (thrown) {
    recorded.failure = codeOf(thrown)
    throw thrown
  } finally {
    capture.open = false
    recorded.durationMs = stopwatchMs() - startedAt
    recorded.fault = observed.fault
    recorded.tokenId = capture.caller?.tokenId
    recorded.body = capture.body ?? (observed.env === undefined ? await readUnreadBody(observed.request) : undefined)
    // Background work may hold the capture for a long time, but must not hold the bodies.
    capture.body = undefined
    capture.answer = undefined
    onResponse(recorded)
  }
}

/** Adds the rows changed by each committed transaction until the request has a response. */
function countChanges(total: RowCounts, isOpen: () => boolean): TransactionObserver {
  const rows: RowCounts = new Map()
  return {
    statementRan: (sql, count) => countRows(rows, sql, count),
    committed() {
      if (isOpen()) addCounts(total, rows)
    },
  }
}

function createRecord(
  { request, method, path, query, operation, env }: ObservedRequest,
  rows: RowCounts,
  { sequence, at }: Pick<RecordedRequest, 'sequence' | 'at'>,
): RecordedRequest {
  return {
    sequence,
    at,
    realMs: machineTimeMs(),
    transport: transportOf(request, env),
    method,
    path,
    query,
    operation,
    request: { headers: request.headers },
    rows,
    violations: [],
    expected: false,
  }
}

/** The code, such as `ECONNRESET`, of undici's `TypeError: fetch failed`, or else the message. */
function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const { cause } = thrown
  return cause instanceof Error && 'code' in cause ? String(cause.code) : thrown.message
}

const maxReadBytes = 65_536

/**
 * The body of a request that was refused before it was read, if it is available at once. This does not wait for the
 * sender; on a port, the adapter handles the rest.
 */
async function readUnreadBody(request: Request): Promise<Uint8Array | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD' || request.bodyUsed || request.body === null)
    return undefined
  const reader = request.body.getReader()
  const read = readAll(reader).catch(() => undefined)
  const body = await Promise.race([read, nextTurn()])
  if (body === undefined) await reader.cancel().catch(() => undefined)
  return body
}

/**
 * The body of a response. One with a length comes from a fault and is damaged or slow; reading it here
 * would change how the caller receives it.
 */
async function readResponseBody(response: Response): Promise<string | undefined> {
  if (response.body === null || response.headers.has('content-length')) return undefined
  const text = response
    .clone()
    .text()
    .catch(() => undefined)
  return Promise.race([text, nextTurn()])
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks, length)
    chunks.push(value)
    length += value.length
    if (length > maxReadBytes) return undefined
  }
}

const nextTurn = () => new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))
