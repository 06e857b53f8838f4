import { ApiError } from '../core/errors.ts'
import type { Turns } from './turns.ts'

/** The moves of a clock, one after the other. A move ends early when the server is reset or closes. */
export interface ClockMoves {
  /** Runs a move, whose parts it passes to `step`. */
  move(work: (step: Step) => Promise<void>): Promise<void>
  /** Ends all moves, which reject. */
  interrupt(): void
  /** Ends all moves, and runs work while the clock is not moved. */
  interruptFor<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Runs a part of a move. Rejects if the move was interrupted meanwhile. */
export type Step = <Result>(part: () => Promise<Result>) => Promise<Result>

export interface MoveParts {
  readonly turns: Turns
  /** Throws in a webhook receiver, for whose response the work would wait. */
  requireNoReceiver(): void
}

const interrupted = () =>
  new ApiError('conflict', 'The clock was not moved to the end: the server was reset or has closed.')

export function createClockMoves({ turns, requireNoReceiver }: MoveParts): ClockMoves {
  let interruptions = 0
  const interrupt = () => {
    interruptions += 1
  }
  return {
    async move(work) {
      requireNoReceiver()
      const atStart = interruptions
      const requireUninterrupted = () => {
        if (interruptions !== atStart) throw interrupted()
      }
      return turns.take(async () => {
        requireUninterrupted()
        return work(async (part) => {
          try {
            return await part()
          } finally {
            // Also instead of an error, because the database may be closed.
            requireUninterrupted()
          }
        })
      })
    },
    interrupt,
    async interruptFor(work) {
      requireNoReceiver()
      interrupt()
      return turns.take(work)
    },
  }
}
