import { readState, type Snapshot, type StateContents } from './state-control.ts'

/** The states before the last requests that changed rows. */
export interface StateHistory {
  /** Stores the state before a request. */
  record(sequence: number): Promise<void>
  /** Keeps the state of a request that changed rows, and drops that of another one. */
  settle(sequence: number, hasChanged: boolean): void
  /** Throws a TypeError if the state is not stored. */
  before(sequence: number): Snapshot
  clear(): void
}

const maxChanges = 100

interface StoredState extends Pick<Snapshot, 'head'> {
  readonly pages: readonly Uint8Array[]
}

export function createStateHistory(parts: StateContents): StateHistory {
  const states = new Map<number, StoredState>()
  const running = new Map<number, StoredState>()
  let latestPages: readonly Uint8Array[] = []
  return {
    async record(sequence) {
      // Not within a transaction of another request or of the delivery worker.
      await parts.platform.app.store.drained()
      const { head, database } = readState(parts)
      latestPages = splitPages(database, latestPages)
      running.set(sequence, { head, pages: latestPages })
    },
    settle(sequence, hasChanged) {
      const state = running.get(sequence)
      running.delete(sequence)
      if (state === undefined || !hasChanged) return
      states.set(sequence, state)
      const oldest = Math.min(...states.keys())
      if (states.size > maxChanges) states.delete(oldest)
    },
    before(sequence) {
      const state = states.get(sequence)
      if (state !== undefined) return { head: state.head, database: Buffer.concat(state.pages) }
      throw new TypeError(
        `The state before request #${sequence} is not stored. It must be one of the last ${maxChanges} requests that changed rows.`,
      )
    },
    clear() {
      states.clear()
      running.clear()
      latestPages = []
    },
  }
}

/** SQLite's default. */
const pageBytes = 4096

/** The pages of a database. Unchanged ones are shared with the previous state, because a request changes few of them. */
function splitPages(database: Uint8Array, previous: readonly Uint8Array[]): Uint8Array[] {
  return Array.from({ length: Math.ceil(database.length / pageBytes) }, (_, index) => {
    const page = database.subarray(index * pageBytes, (index + 1) * pageBytes)
    const known = previous[index]
    return known !== undefined && Buffer.compare(known, page) === 0 ? known : Uint8Array.from(page)
  })
}
