import { runCallback } from './run-callback.ts'
import { within } from './within.ts'

/** A time such as `'5s'` or `'500ms'`. */
export type Duration = `${number}s` | `${number}ms`

/** When to respond if a handler function is still running. */
export interface ResponseDeadline<Context> {
  /**
   * Responds with 204 if the function is still running after this time, which must be less than the 15 seconds that the
   * platform waits. The function continues, but the platform does not retry the delivery if it fails later. By default,
   * the handler waits for the function. Requires `onError`.
   */
  readonly respondWithin?: Duration | undefined
  /** Called if the function fails after the response. Errors before the response go to the framework. */
  readonly onError?: ((error: unknown, context: Context) => void) | undefined
  /** Keeps the runtime alive for functions that run after the response, for example `waitUntil` of Vercel. */
  readonly waitUntil?: ((work: Promise<unknown>, context: Context) => void) | undefined
}

export function requireDeadline({ respondWithin, onError }: ResponseDeadline<never>): void {
  if (respondWithin === undefined) return
  const ms = toMilliseconds(respondWithin)
  if (!(ms && ms < 15_000)) throw new TypeError("respondWithin must be text such as '5s', below 15s")
  if (!onError) throw new TypeError('respondWithin requires onError')
}

/** Waits for `run`, but after `onStart` only for `respondWithin`. Resolves with undefined if the time is up. */
export async function waitWithin<Context, Result>(
  { respondWithin, onError, waitUntil }: ResponseDeadline<Context>,
  context: Context,
  run: (onStart: () => void) => Promise<Result>,
): Promise<Result | undefined> {
  if (!respondWithin) return run(() => undefined)
  let onStart = (): void => undefined
  const start = new Promise<void>((resolve) => {
    onStart = resolve
  })
  const work = run(onStart)
  const continueLate = () => {
    const rest = work.catch((error) => runCallback(() => onError?.(error, context), error))
    void runCallback(() => waitUntil?.(rest, context))
  }
  const limited = start.then(() => within(toMilliseconds(respondWithin), work, continueLate))
  return Promise.race([work, limited]) as Promise<Result | undefined>
}

const toMilliseconds = (time: string): number => {
  const [, amount, unit] = /^([\d.]+)(m?s)$/.exec(time) ?? []
  return Number(amount) * (unit === 's' ? 1000 : 1)
}
