import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import type { Hooks } from './hooks.ts'
import { quietLog } from './log.ts'
import { type Platform, runPlatform } from './platform.ts'
import type { ServerOptions } from './server.ts'
import { emptyDatabase, isInMemory, openFromBytes, openStore } from './store/open.ts'
import { type Beginning, clockOf, defaultSeed, randomnessOf } from './testing/beginning.ts'
import type { MovableClock } from './testing/movable-clock.ts'
import type { SeededIds } from './testing/seeded-ids.ts'
import { plant } from './testing/seeds/plant.ts'
import type { Seed } from './testing/seeds/seed.ts'
import { nothingSeeded, type Planted } from './testing/seeds/seeded.ts'
import type { Snapshot } from './testing/snapshot.ts'
import { headOf, takeSnapshot } from './testing/state-control.ts'
import { createPostRoom, type PostRoom } from './testing/webhooks/post-room.ts'

/** A platform and what of it a test may move. */
export interface OpenedPlatform {
  readonly platform: Platform
  /** Where deliveries pass on their way out. */
  readonly room: PostRoom
  readonly clock: MovableClock | undefined
  readonly ids: SeededIds | undefined
  /** Whether the key that seals secrets was made here. */
  readonly isOwnKey: boolean
  readonly planted: Planted
  /** The state right after the seed, where the database is in memory. */
  readonly seeded: Snapshot | undefined
}

export interface Opening {
  readonly leaseMs?: number | undefined
  /** The state of another server to go on from, instead of the seed. */
  readonly beginning?: Beginning | undefined
  /** Told of every event that is kept. */
  readonly eventKept?: Hooks['eventKept']
}

/** Makes the app from the options, opens its database and starts what runs. */
export async function openPlatform(
  options: ServerOptions,
  { leaseMs, beginning, eventKept }: Opening,
): Promise<OpenedPlatform> {
  const { seed = 'empty', log = quietLog(), hooks = {}, lookup } = options
  const config = readConfig({ ...options })
  const { clock, movable } = clockOf(options.clock, beginning)
  const randomness = randomnessOf(options, config, beginning)
  const sealed = { ...config, encryptionKey: randomness.encryptionKey }
  const store =
    beginning === undefined ? await openStore(config, clock) : openFromBytes(config, beginning.state.database)
  const room = createPostRoom({ app: () => app, seed: randomness.seeded?.seed ?? defaultSeed })
  const { receivers, carry, workspaceCreated } = room
  const app = createApp({ config: sealed, store, clock, ids: randomness.ids, log, hooks, workspaceCreated, eventKept })
  const platform = await runPlatform(app, { lookup, leaseMs, receivers, carry })
  const planted = {
    seeded: beginning?.state.head.seeded ?? (beginning === undefined ? await plant(app, seed) : nothingSeeded),
  }
  const isOwnKey = config.encryptionKey === undefined
  const opened = { platform, room, clock: movable, ids: randomness.seeded, isOwnKey, planted }
  return {
    ...opened,
    seeded: beginning === undefined && isInMemory(config) ? await seededState(opened, seed) : undefined,
  }
}

/** An empty server needs no copy of its own to go back to. */
async function seededState(opened: Omit<OpenedPlatform, 'seeded'>, seed: Seed): Promise<Snapshot> {
  const settled = opened.platform.deliveries.runDue
  if (seed !== 'empty') return takeSnapshot({ ...opened, settled })
  return { head: headOf(opened), database: emptyDatabase() }
}
