import { AsyncLocalStorage } from 'node:async_hooks'
import type { RowCounts } from './store/row-counts.ts'

/** What is noted about one request while it is answered, for whoever looks at it afterwards. */
export interface Trace {
  /** False once it is answered: what still runs then is nobody's request any more. */
  open: boolean
  /** The bytes of the body, once they were read. */
  body?: Uint8Array | undefined
  /** Whose valid token came along. */
  caller?: { readonly tokenId: number }
  /** The answer's text, so that nobody has to read the Response for it. */
  answer?: string | undefined
  readonly rows: RowCounts
}

const traces = new AsyncLocalStorage<Trace>()
let isAnybodyLooking = false

/** The trace of the request that the calling code answers. Costs nothing where nobody ever looked. */
export function currentTrace(): Trace | undefined {
  if (!isAnybodyLooking) return undefined
  const trace = traces.getStore()
  return trace?.open === true ? trace : undefined
}

/** Runs what answers a request, so that all it sets off can be noted. */
export function traced<Result>(trace: Trace, answer: () => Result): Result {
  isAnybodyLooking = true
  return traces.run(trace, answer)
}

/** Runs what a request sets off and does not wait for, so that it is not taken for a part of it. */
export const untraced = <Result>(work: () => Result): Result => (isAnybodyLooking ? traces.exit(work) : work())
