import { hash } from 'node:crypto'

/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 up to 1. */
  fraction(): number
  /** From the first to the last, both included. */
  whole(first: number, last: number): number
  pick<Item>(items: readonly Item[]): Item
  /** True in that share of all cases. */
  happens(share: number): boolean
}

/** Each part of a seed has a stream of its own, so that a change of one does not change all that is made after it. */
export function randomOf(seed: string, part: string): Random {
  let state = hash('sha256', `${seed}:${part}`, 'buffer').readUInt32LE(0)
  // mulberry32: good enough for texts and times, and a hundred times faster than a hash per number.
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    fraction,
    whole: (first, last) => first + Math.floor(fraction() * (last - first + 1)),
    happens: (share) => fraction() < share,
    pick(items) {
      const item = items[Math.floor(fraction() * items.length)]
      if (item === undefined) throw new RangeError('There is nothing to pick from.')
      return item
    },
  }
}
