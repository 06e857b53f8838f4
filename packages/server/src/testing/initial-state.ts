import { hash } from 'node:crypto'
import { type Clock, type ServerClock, toServerClock } from '../core/clock.ts'
import { type Ids, systemIds } from '../core/ids.ts'
import { isInMemory } from '../store/open.ts'
import { readInstant } from './clock-control.ts'
import { type MovableClock, movableClock } from './movable-clock.ts'
import { type SeededIds, seededIds } from './seeded-ids.ts'
import type { TestServerOptions } from './server-options.ts'
import type { Snapshot } from './state-control.ts'

/** Where a server that goes on from another's state begins. */
export interface InitialState {
  readonly state: Snapshot
  /** What `reset` goes back to. */
  readonly baseline: Snapshot
  /** What encrypted the secrets in the state. */
  readonly encryptionKey: string | undefined
}

/** The time of a server: one given by the embedder is not ours to move. */
export function clockOf(option: Clock | string | Date | undefined, initialState: InitialState | undefined) {
  if (typeof option === 'object' && 'now' in option) return { clock: toServerClock(option), movable: undefined }
  const at = option === undefined ? undefined : readInstant(option)
  const movable = movableClock(
    initialState?.state.head.clock ?? { aheadBy: 0, ...(at === undefined ? {} : { frozenAt: at }) },
  )
  return { clock: movable, movable } satisfies { clock: ServerClock; movable: MovableClock }
}

interface Randomness {
  readonly ids: Ids
  readonly seeded: SeededIds | undefined
  readonly encryptionKey: string | undefined
}

export const defaultSeed = 'service'

type Options = Pick<TestServerOptions, 'random' | 'ids' | 'clock' | 'seed' | 'data' | 'databaseUrl' | 'encryptionKey'>

/** Whoever fixes the time, the seed or the randomness wants two runs to be alike; whoever says nothing gets real secrets. */
function isRepeatable({ random, ids, clock, seed }: Options): boolean {
  if (ids !== undefined || random === 'system') return false
  return random !== undefined || seed !== undefined || typeof clock === 'string' || clock instanceof Date
}

/** Only in memory: what outlives the process has tokens that nobody can compute. */
export function randomnessOf(options: Options, initialState: InitialState | undefined): Randomness {
  const { random, ids = systemIds() } = options
  const key = initialState?.encryptionKey ?? options.encryptionKey
  if (!isInMemory(options)) {
    if (random === undefined || random === 'system') return { ids, seeded: undefined, encryptionKey: key }
    throw new TypeError('`random` is for servers in memory: tokens that others can compute protect nothing on a disk.')
  }
  if (!isRepeatable(options)) {
    return { ids, seeded: undefined, encryptionKey: key }
  }
  const seed = String(random ?? defaultSeed)
  const seeded = seededIds(seed, initialState?.state.head.ids?.drawn)
  return { ids: seeded, seeded, encryptionKey: key ?? hash('sha256', `sealing:${seed}`) }
}
