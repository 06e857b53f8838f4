import { clearTimeout, setTimeout } from '../../core/real-timers.ts'
import type { Outcome } from '../../delivery/dispatch/outcome.ts'

/** Has those that come together go in another order, one after the other. */
export interface Shuffler {
  pass(send: () => Promise<Outcome>, place: ShuffleSlot): Promise<Outcome>
}

export interface ShuffleSlot {
  readonly subscriptionId: number
  /** As soon as so many are there, they go. */
  readonly most: number
  /** They go in the order of their ranks. */
  readonly rank: number
}

interface Waiting {
  readonly rank: number
  readonly send: () => Promise<Outcome>
  readonly resolve: (outcome: Promise<Outcome>) => void
}

interface Gathering {
  readonly waiting: Waiting[]
  readonly timer: ReturnType<typeof setTimeout>
}

/** Long enough for a test to make a few changes one after the other. */
const gatherMs = 50

export function createShuffler(): Shuffler {
  const gatherings = new Map<number, Gathering>()

  async function release(subscriptionId: number): Promise<void> {
    const gathering = gatherings.get(subscriptionId)
    if (gathering === undefined) return
    gatherings.delete(subscriptionId)
    clearTimeout(gathering.timer)
    for (const { send, resolve } of reordered(gathering.waiting)) {
      const sending = send()
      resolve(sending)
      await sending.catch(() => undefined)
    }
  }

  return {
    pass: (send, { subscriptionId, most, rank }) =>
      new Promise((resolve) => {
        const gathering = gatherings.get(subscriptionId) ?? {
          waiting: [],
          timer: setTimeout(() => void release(subscriptionId), gatherMs),
        }
        gatherings.set(subscriptionId, gathering)
        gathering.waiting.push({ rank, send, resolve })
        if (gathering.waiting.length >= most) void release(subscriptionId)
      }),
  }
}

/** Whoever asks for another order gets one: where chance would leave it as it was, it is turned round. */
function reordered(waiting: readonly Waiting[]): Waiting[] {
  const sorted = [...waiting].sort((one, other) => one.rank - other.rank)
  return sorted.every((each, index) => each === waiting[index]) ? sorted.reverse() : sorted
}
