import { AsyncLocalStorage } from 'node:async_hooks'

/** What is noted about one request while it is answered, for whoever looks at it afterwards. */
export interface RequestCapture {
  /** False once it is answered: what still runs then is nobody's request any more. */
  open: boolean
  body?: Uint8Array | undefined
  caller?: { readonly tokenId: number }
  /** The answer's text, so that nobody has to read the Response for it. */
  answer?: string | undefined
  /** Observes one transaction of the request. */
  observeTransaction(): TransactionObserver
}

/** Sees what a transaction does to the database. The store reads no SQL for it: that is the observer's. */
export interface TransactionObserver {
  /** A statement has changed so many rows. */
  statementRan(sql: string, rows: number): void
  /** With the only workspace that may have changed, where that is known, and with all that are known to have changed. */
  committed(onlyWorkspaceId: number | undefined, workspaceIds: ReadonlySet<number>): void
}

const traces = new AsyncLocalStorage<RequestCapture>()
let isAnybodyLooking = false

/** The trace of the request that the calling code answers. Costs nothing where nobody ever looked. */
export function currentCapture(): RequestCapture | undefined {
  if (!isAnybodyLooking) return undefined
  const capture = traces.getStore()
  return capture?.open === true ? capture : undefined
}

/** Runs what answers a request, so that all it sets off can be noted. */
export function captureRequest<Result>(capture: RequestCapture, answer: () => Result): Result {
  isAnybodyLooking = true
  return traces.run(capture, answer)
}

/** Runs what a request sets off and does not wait for, so that it is not taken for a part of it. */
export const withoutCapture = <Result>(work: () => Result): Result => (isAnybodyLooking ? traces.exit(work) : work())
