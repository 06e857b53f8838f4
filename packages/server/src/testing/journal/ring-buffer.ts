import type { RecordedRequest } from './recorded-request.ts'

/** How much a journal keeps. */
export interface JournalOptions {
  /** Requests; the oldest leave first. 1000 unless told otherwise. */
  readonly limit?: number
  /** Bytes of one body; longer ones are not kept. 65,536 unless told otherwise. */
  readonly bodyLimit?: number
}

/** The requests that are kept, oldest first. Their bodies together are bounded too: those of the oldest leave first. */
export interface RingBuffer {
  readonly all: readonly RecordedRequest[]
  add(recorded: RecordedRequest): void
  /** Called once the bodies are known. */
  trim(recorded: RecordedRequest): void
  clear(): void
}

/** A thousand lists of fifty tickets would be 12 MB that nobody looks at. */
const largestBodies = 2 * 1024 * 1024

export function createRingBuffer({ limit = 1000, bodyLimit = 65_536 }: JournalOptions): RingBuffer {
  const all: RecordedRequest[] = []
  let heavy: { readonly kept: RecordedRequest; readonly weight: number }[] = []
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
    add(recorded) {
      all.push(recorded)
      if (all.length > limit) all.shift()
    },
    trim(recorded) {
      if (lengthOf(recorded.body) > bodyLimit) recorded.body = undefined
      if (lengthOf(recorded.answer) > bodyLimit) recorded.answer = undefined
      const weight = lengthOf(recorded.body) + lengthOf(recorded.answer)
      total += weight
      heavy.push({ kept: recorded, weight })
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
