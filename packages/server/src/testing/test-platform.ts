import { bootstrap, closingOnFailure } from '../bootstrap.ts'
import type { DomainHooks } from '../context.ts'
import type { Platform } from '../platform.ts'
import { emptyDatabase, isInMemory } from '../store/open.ts'
import { clockOf, defaultSeed, type InitialState, randomnessOf } from './initial-state.ts'
import type { MovableClock } from './movable-clock.ts'
import type { SeededIds } from './seeded-ids.ts'
import { applySeed } from './seeds/apply-seed.ts'
import type { Seed } from './seeds/seed.ts'
import type { SeedState } from './seeds/seed-state.ts'
import type { TestServerOptions } from './server-options.ts'
import { headOf, type Snapshot, takeSnapshot } from './state-control.ts'
import { createDeliveryHub, type DeliveryHub } from './webhooks/delivery-hub.ts'

/** A platform and what of it a test may move. */
export interface TestPlatform {
  readonly platform: Platform
  /** Where deliveries pass on their way out. */
  readonly hub: DeliveryHub
  readonly clock: MovableClock | undefined
  readonly ids: SeededIds | undefined
  /** Whether the key that encrypts secrets was made here. */
  readonly isOwnKey: boolean
  readonly seedState: SeedState
  /** The state right after the seed, where the database is in memory. */
  readonly seeded: Snapshot | undefined
}

interface TestPlatformParts {
  /** The state of another server to go on from, instead of the seed. */
  readonly initialState: InitialState | undefined
  /** Gets every event that is stored. */
  readonly eventKept: DomainHooks['eventKept']
}

/** Starts a platform with the clock, the identifiers and the data of a test. */
export async function startTestPlatform(
  options: TestServerOptions,
  { initialState, eventKept }: TestPlatformParts,
): Promise<TestPlatform> {
  const { seed = 'empty' } = options
  const { clock, movable } = clockOf(options.clock, initialState)
  const { ids, seeded, encryptionKey } = randomnessOf(options, initialState)
  const hub = createDeliveryHub({ app: () => platform.app, seed: seeded?.seed ?? defaultSeed })
  const { interceptSend, workspaceCreated } = hub
  const database = initialState?.state.database
  const platform = await bootstrap(
    { ...options, clock, ids, encryptionKey },
    { database, interceptSend, workspaceCreated, eventKept },
  )
  const seedState = {
    seeded: initialState?.state.head.seeded ?? (await closingOnFailure(platform, () => applySeed(platform.app, seed))),
  }
  const opened = {
    platform,
    hub,
    clock: movable,
    ids: seeded,
    isOwnKey: options.encryptionKey === undefined,
    seedState,
  }
  return {
    ...opened,
    seeded: initialState === undefined && isInMemory(options) ? await seededState(opened, seed) : undefined,
  }
}

/** An empty server needs no copy of its own to go back to. */
async function seededState(opened: Omit<TestPlatform, 'seeded'>, seed: Seed): Promise<Snapshot> {
  const settled = opened.platform.deliveries.runDue
  if (seed !== 'empty') return takeSnapshot({ ...opened, settled })
  return { head: headOf(opened), database: emptyDatabase() }
}
