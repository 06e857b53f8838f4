import { createWaiters } from '../wait.ts'
import type { Arrival, CapturedEvent } from './captured-event.ts'

/** The requests to an inbox, and their events. */
export interface ReceivedEvents {
  readonly verified: readonly CapturedEvent[]
  readonly arrivals: readonly Arrival[]
  /** Adds a request, with its event if it was accepted. Each delivery counts once; duplicates are ignored. */
  add(arrival: Arrival, event?: CapturedEvent): void
  /** Returns the first matching event that was not returned yet. */
  take(isMatch: (event: CapturedEvent) => boolean): CapturedEvent | undefined
  /** Passes later events to the calls that wait for them. */
  readonly waiters: Pick<ReturnType<typeof createWaiters<CapturedEvent>>, 'wait' | 'rejectAll'>
  /** Describes a request in one line. */
  describe(arrival: Arrival): string
  /** Forgets the events, but not the requests. */
  forget(): void
}

export function createReceivedEvents(): ReceivedEvents {
  const verified: CapturedEvent[] = []
  const arrivals: Arrival[] = []
  const unread: CapturedEvent[] = []
  const accepted = new Map<string, Arrival>()
  /** Why the event of an accepted request is not the next one. */
  const notes = new WeakMap<Arrival, string>()
  const waiters = createWaiters<CapturedEvent>()

  function noteReturned({ deliveryId }: CapturedEvent): void {
    const arrival = accepted.get(deliveryId)
    if (arrival !== undefined) notes.set(arrival, 'already returned')
  }

  return {
    verified,
    arrivals,
    waiters,
    add(arrival, event) {
      arrivals.push(arrival)
      if (event === undefined) return
      if (accepted.has(event.deliveryId)) return void notes.set(arrival, 'a duplicate')
      accepted.set(event.deliveryId, arrival)
      verified.push(event)
      if (waiters.resolveFirst(event)) noteReturned(event)
      else unread.push(event)
    },
    take(isMatch) {
      const index = unread.findIndex(isMatch)
      const [first] = index === -1 ? [] : unread.splice(index, 1)
      if (first !== undefined) noteReturned(first)
      return first
    },
    describe(arrival) {
      const { type, attempt, answer, refused } = arrival
      const reason = refused === undefined ? '' : `rejected as ${refused}, `
      const note = notes.get(arrival)
      return `${type}, attempt ${attempt}: ${reason}answered ${answer}${note === undefined ? '' : ` (${note})`}`
    },
    forget() {
      for (const events of [verified, unread]) events.length = 0
      accepted.clear()
      for (const arrival of arrivals) notes.set(arrival, 'before a state was restored')
    },
  }
}
