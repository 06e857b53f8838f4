import type { Clock } from '../../clock.ts'
import { machineTimeMs, stopwatchMs } from '../../real-timers.ts'
import type { RowCounts } from '../../store/row-counts.ts'
import { type Trace, traced } from '../../trace.ts'
import { doorOf } from '../door-name.ts'
import type { Visit } from '../visit.ts'
import type { Kept } from './kept.ts'
import { readUnread, readWhole } from './unread-body.ts'

/** What is told about a request on its way. */
export interface Keeper {
  came(kept: Kept): void
  answered(kept: Kept): void
}

/** Writes down a request and what became of it, and gives its answer on untouched. */
export async function keep(
  visit: Visit,
  answer: () => Promise<Response>,
  { came, answered, ...when }: Keeper & { readonly clock: Clock; readonly sequence: number },
): Promise<Response> {
  const trace: Trace = { open: true, rows: new Map() }
  const kept = begin(visit, trace.rows, when)
  const startedAt = stopwatchMs()
  came(kept)
  try {
    const response = await traced(trace, answer)
    kept.status = response.status
    kept.answerHeaders = response.headers
    kept.answer = visit.fault === undefined ? trace.answer : await readWhole(response)
    return response
  } catch (thrown) {
    kept.failure = codeOf(thrown)
    throw thrown
  } finally {
    trace.open = false
    kept.durationMs = stopwatchMs() - startedAt
    kept.fault = visit.fault
    kept.tokenId = trace.caller?.tokenId
    kept.body = trace.body ?? (visit.env === undefined ? await readUnread(visit.request) : undefined)
    forget(trace)
    answered(kept)
  }
}

/** What lingers may hold on to the trace for long: it shall not keep the bodies with it. */
function forget(trace: Trace): void {
  trace.body = undefined
  trace.answer = undefined
}

function begin(
  { request, method, path, operation, env }: Visit,
  rows: RowCounts,
  { clock, sequence }: { readonly clock: Clock; readonly sequence: number },
): Kept {
  return {
    sequence,
    at: clock.now(),
    realMs: machineTimeMs(),
    door: doorOf(request, env),
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
    excused: false,
  }
}

const queryOf = (url: string) => /\?([^#]*)/.exec(url)?.[1] ?? ''

/** `ECONNRESET` of undici's `TypeError: fetch failed`, else what was said. */
function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const { cause } = thrown
  return cause instanceof Error && 'code' in cause ? String(cause.code) : thrown.message
}
