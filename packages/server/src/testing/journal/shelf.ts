import type { Kept } from './kept.ts'

/** How much a journal keeps. */
export interface JournalOptions {
  /** Requests; the oldest leave first. 1000 unless told otherwise. */
  readonly limit?: number
  /** Bytes of one body; longer ones are not kept. 65,536 unless told otherwise. */
  readonly bodyLimit?: number
}

/** The requests that are kept, oldest first. Their bodies together are bounded too: those of the oldest leave first. */
export interface Shelf {
  readonly all: readonly Kept[]
  add(kept: Kept): void
  /** Called once the bodies are known. */
  weigh(kept: Kept): void
  clear(): void
}

/** A thousand lists of fifty tickets would be 12 MB that nobody looks at. */
const largestBodies = 2 * 1024 * 1024

export function createShelf({ limit = 1000, bodyLimit = 65_536 }: JournalOptions): Shelf {
  const all: Kept[] = []
  let heavy: { readonly kept: Kept; readonly weight: number }[] = []
  let total = 0
  const lighten = () => {
    const oldest = heavy.shift()
    total -= oldest?.weight ?? total
    if (oldest === undefined) return
    oldest.kept.body = undefined
    oldest.kept.answer = undefined
  }
  return {
    all,
    add(kept) {
      all.push(kept)
      if (all.length > limit) all.shift()
    },
    weigh(kept) {
      if (lengthOf(kept.body) > bodyLimit) kept.body = undefined
      if (lengthOf(kept.answer) > bodyLimit) kept.answer = undefined
      const weight = lengthOf(kept.body) + lengthOf(kept.answer)
      total += weight
      heavy.push({ kept, weight })
      while (total > largestBodies || heavy.length > limit) lighten()
    },
    clear() {
      all.length = 0
      heavy = []
      total = 0
    },
  }
}

const lengthOf = (body: Uint8Array | string | undefined) => body?.length ?? 0
