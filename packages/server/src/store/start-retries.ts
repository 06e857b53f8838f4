import { deadline, stopwatchMs } from '../core/clock.ts'
import { ApiError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { DatabaseOutage } from './postgres-faults.ts'

const pauseMs = 1000

interface Waiting {
  /** 0 tries once. */
  readonly limitMs: number
  readonly log: Pick<Log, 'warn'>
}

/**
 * Repeats a start that fails because PostgreSQL cannot be used yet: containers and machines often start together. Other
 * failures end it at once.
 */
export async function retryStart<Result>(start: () => Promise<Result>, { limitMs, log }: Waiting): Promise<Result> {
  const until = stopwatchMs() + limitMs
  let logged: string | undefined
  for (;;) {
    try {
      return await start()
    } catch (failure) {
      const problem = toProblem(failure)
      if (problem === undefined || stopwatchMs() + pauseMs > until) throw failure
      if (problem !== logged) log.warn(`${problem} The start is repeated for up to ${limitMs / 1000} s.`)
      logged = problem
      await new Promise<void>((resolve) => void deadline(pauseMs, resolve))
    }
  }
}

/** What a start waits for; undefined if waiting cannot help. */
function toProblem(failure: unknown): string | undefined {
  if (failure instanceof DatabaseOutage) return failure.problem
  return failure instanceof ApiError && failure.code === 'unavailable' ? failure.message : undefined
}
