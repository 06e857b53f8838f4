import { endLongTurn, onNextTurn } from '../../core/next-turn.ts'

// When more comes than can be done, some of it has to be refused; refused at once it costs a twentieth of an answer, and
// what is let in is answered as quickly as ever. The measure is how long a new request would wait, which shows in three
// places, because a request waits in three places:
// - in the socket, while the event loop answers those that it has read before in the same turn;
// - in the queue of SQLite's writers, which knows how long a write takes;
// - in flight: how many there are, times how long one takes while many are in flight (Little's law). It says the same of a
//   slow processor and a busy database. A number of requests alone says nothing about waiting, so it only bounds the memory.
//
// Tried and dropped: the mean lateness of the event loop refused a quarter at half the load.

/** How long a request may have to wait. A list is what people look at when something is slow: it is refused later. */
const longestWaitMs = { write: 100, read: 140 }

/** From here on writers do not wait until the turn of the event loop ends. */
const longTurnMs = 15

/** Some thirty clients that each wait for their answer slow themselves down: fewer than this are never too many. */
const smallestCrowd = 32

/**
 * A turn of a few requests is long because the process has just started, or is given no processor. None of them waits for
 * many others, so refusing one of them would help nobody.
 */
const fewestOfLongTurn = 8

/** Measuring begins with this many in flight: before, a request takes as long as it takes, and nobody waits. */
const measuredFrom = 16
const shortestMeasureMs = 50

export interface LoadLimit {
  /** Whether this request is one too many. Asked once for each request. */
  isOver(kind: 'read' | 'write'): boolean
  /** A whole request has arrived and is being worked on. */
  begin(): void
  end(): void
}

export interface LoadLimitOptions {
  readonly mostInFlight: number
  elapsedMs(): number
  /** How long a write that comes now would wait for its turn; 0 where writers do not take turns. */
  writersWaitMs(): number
}

export function createLoadLimit({ mostInFlight, elapsedMs, writersWaitMs }: LoadLimitOptions): LoadLimit {
  const turn = measureTurns(elapsedMs)
  let inFlight = 0
  // Until many have been in flight for the first time.
  let msPerRequest = 1
  let measured: { readonly sinceMs: number; ended: number } | undefined
  return {
    isOver(kind) {
      const longestMs = longestWaitMs[kind]
      const { lastedMs, requests } = turn()
      if (inFlight >= mostInFlight || (requests >= fewestOfLongTurn && lastedMs > longestMs)) return true
      if (kind === 'write' && writersWaitMs() > longestMs) return true
      return inFlight >= smallestCrowd && inFlight * msPerRequest > longestMs
    },
    begin() {
      inFlight += 1
      if (inFlight >= measuredFrom) measured ??= { sinceMs: elapsedMs(), ended: 0 }
    },
    end() {
      inFlight -= 1
      if (measured === undefined) return
      measured.ended += 1
      const tookMs = elapsedMs() - measured.sinceMs
      if (tookMs >= shortestMeasureMs && measured.ended >= measuredFrom) {
        msPerRequest = tookMs / measured.ended
        measured = { sinceMs: elapsedMs(), ended: 0 }
      }
      if (inFlight === 0) measured = undefined
    },
  }
}

interface Turn {
  readonly lastedMs: number
  /** How many requests have come in it, the one that asks included. */
  readonly requests: number
}

/** How long the event loop has answered requests since it last read from the sockets. Asked once for each of them. */
function measureTurns(elapsedMs: () => number): () => Turn {
  let beganAt: number | undefined
  let requests = 0
  const end = () => {
    beganAt = undefined
    requests = 0
  }
  return () => {
    if (beganAt === undefined) onNextTurn(end)
    beganAt ??= elapsedMs()
    requests += 1
    const lastedMs = elapsedMs() - beganAt
    if (lastedMs > longTurnMs) endLongTurn()
    return { lastedMs, requests }
  }
}
