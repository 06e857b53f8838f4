import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { type Ids, systemIds } from '../ids.ts'
import type { ServerOptions } from '../server.ts'
import { isInMemory } from '../store/open.ts'
import { toInstant } from './clock-control.ts'
import { type MovableClock, movableClock } from './movable-clock.ts'
import { type SeededIds, seededIds } from './seeded-ids.ts'
import type { Snapshot } from './snapshot.ts'

/** Where a server that goes on from another's state begins. */
export interface Beginning {
  readonly state: Snapshot
  /** What `reset` goes back to. */
  readonly baseline: Snapshot
  /** What sealed the secrets in the state. */
  readonly encryptionKey: string | undefined
}

/** The time of a server: one given by the embedder is not ours to move. */
export function clockOf(option: Clock | string | Date | undefined, beginning: Beginning | undefined) {
  if (typeof option === 'object' && 'now' in option) return { clock: option, movable: undefined }
  const at = option === undefined ? undefined : toInstant(option)
  const movable = movableClock(
    beginning?.state.head.clock ?? { aheadBy: 0, ...(at === undefined ? {} : { frozenAt: at }) },
  )
  return { clock: movable, movable } satisfies { clock: Clock; movable: MovableClock }
}

interface Randomness {
  readonly ids: Ids
  readonly seeded: SeededIds | undefined
  readonly encryptionKey: string | undefined
}

export const defaultSeed = 'service'

type Options = Pick<ServerOptions, 'random' | 'ids' | 'clock' | 'seed'>

/** Whoever fixes the time, the seed or the randomness wants two runs to be alike; whoever says nothing gets real secrets. */
function isRepeatable({ random, ids, clock, seed }: Options): boolean {
  if (ids !== undefined || random === 'system') return false
  return random !== undefined || seed !== undefined || typeof clock === 'string' || clock instanceof Date
}

/** Only in memory: what outlives the process has tokens that nobody can compute. */
export function randomnessOf(options: Options, config: Config, beginning: Beginning | undefined): Randomness {
  const { random, ids = systemIds() } = options
  const key = beginning?.encryptionKey ?? config.encryptionKey
  if (!isInMemory(config)) {
    if (random === undefined || random === 'system') return { ids, seeded: undefined, encryptionKey: key }
    throw new TypeError('`random` is for servers in memory: tokens that others can compute protect nothing on a disk.')
  }
  if (!isRepeatable(options)) {
    return { ids, seeded: undefined, encryptionKey: key ?? randomBytes(32).toString('base64url') }
  }
  const seed = String(random ?? defaultSeed)
  const seeded = seededIds(seed, beginning?.state.head.ids?.drawn)
  return { ids: seeded, seeded, encryptionKey: key ?? hash('sha256', `sealing:${seed}`) }
}
