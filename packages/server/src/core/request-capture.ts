import { AsyncLocalStorage } from 'node:async_hooks'

/** What is recorded about a request while it is handled. */
export interface RequestCapture {
  /** False once the request was answered. Work that continues afterwards is not part of it. */
  open: boolean
  body?: Uint8Array | undefined
  caller?: { readonly tokenId: number }
  /** The text of the response, so that the Response need not be read. */
  answer?: string | undefined
  /** Observes one transaction of the request. */
  observeTransaction(): TransactionObserver
}

/** Observes the database changes of a transaction. The store does not parse SQL; the observer does. */
export interface TransactionObserver {
  /** Called with the number of rows that a statement changed. A statement that runs for many rows has no parameters. */
  statementRan(sql: string, rows: number, parameters: readonly unknown[]): void
  /** Called after the commit, with the only workspace it may have changed, if known, and with all that it changed. */
  committed(onlyWorkspaceId: number | undefined, workspaceIds: ReadonlySet<number>): void
}

const captures = new AsyncLocalStorage<RequestCapture>()
let hasCaptured = false

/** The capture of the request that the calling code handles. Costs nothing unless a capture was ever started. */
export function currentCapture(): RequestCapture | undefined {
  if (!hasCaptured) return undefined
  const capture = captures.getStore()
  return capture?.open === true ? capture : undefined
}

/** Handles a request so that everything it triggers is captured. */
export function captureRequest<Result>(capture: RequestCapture, answer: () => Result): Result {
  hasCaptured = true
  return captures.run(capture, answer)
}

/** Runs background work that a request starts but does not wait for, outside its capture. */
export const withoutCapture = <Result>(work: () => Result): Result => (hasCaptured ? captures.exit(work) : work())
