import { hash } from 'node:crypto'
import { bootstrap, closingOnFailure } from '../bootstrap.ts'
import type { DomainHooks } from '../context.ts'
import { type Clock, type ServerClock, toServerClock } from '../core/clock.ts'
import { type Ids, systemIds } from '../core/ids.ts'
import { listWorkspaces } from '../modules/workspaces/service.ts'
import type { Platform } from '../platform.ts'
import { isInMemory } from '../store/open.ts'
import { appliedSeedKey, findAppliedSeed, keepAppliedSeed } from './applied-seeds.ts'
import { readInstant } from './clock-control.ts'
import { type MovableClock, movableClock } from './movable-clock.ts'
import { applySeed } from './seeds/apply-seed.ts'
import type { Seeded, SeedState } from './seeds/seed-state.ts'
import type { TestServerOptions } from './server-options.ts'
import { type Snapshot, takeSnapshot } from './state-control.ts'
import type { TestCoverage } from './test-coverage.ts'
import { createDeliveryHub, type DeliveryHub } from './webhooks/delivery-hub.ts'

/** The initial state of a server that starts from another server's state. */
export interface InitialState {
  readonly state: Snapshot
  /** The state that `reset` restores. */
  readonly baseline: Snapshot
  /** The key of the secrets in the state. */
  readonly encryptionKey: string | undefined
}

/** A platform and its test controls. */
export interface TestPlatform {
  readonly platform: Platform
  /** Outgoing deliveries pass through this. */
  readonly hub: DeliveryHub
  readonly clock: MovableClock | undefined
  readonly ids: SeededIds | undefined
  /** Whether the encryption key was generated here. */
  readonly isOwnKey: boolean
  readonly seedState: SeedState
  /** The state that `reset` restores: that right after the seed. Undefined if the database is not in memory. */
  readonly baseline: Snapshot | undefined
}

interface TestPlatformParts {
  /** The state of another server to start from, instead of the seed. */
  readonly initialState: InitialState | undefined
  /** Called with every stored event. */
  readonly eventStored: DomainHooks['eventStored']
  readonly coverage: TestCoverage
}

/** Starts a platform with a test's clock, ids, and data. */
export async function startTestPlatform(
  options: TestServerOptions,
  { initialState, eventStored, coverage }: TestPlatformParts,
): Promise<TestPlatform> {
  const seedKey = initialState === undefined && isInMemory(options) ? appliedSeedKey(options) : undefined
  const initial = initialState ?? toInitialState(findAppliedSeed(seedKey))
  const { clock, movable } = createClock(options.clock, initial)
  const { ids, seeded, encryptionKey } = createRandomness(options, initial)
  const hub = createDeliveryHub({ app: () => platform.app, seed: seeded?.seed ?? defaultSeed, coverage })
  const { interceptSend, workspaceCreated } = hub
  const platform = await bootstrap(
    { ...options, clock, ids, encryptionKey },
    { database: initial?.state.database, interceptSend, workspaceCreated, eventStored },
  )
  if (seeded !== undefined && initial?.state.head.ids !== undefined) seeded.drawn = initial.state.head.ids.drawn
  const seedState = { seeded: await seededBy(platform, options, initial) }
  const isOwnKey = options.encryptionKey === undefined
  const opened = { platform, hub, clock: movable, ids: seeded, isOwnKey, seedState }
  if (initial !== undefined || !isInMemory(options)) return { ...opened, baseline: initial?.baseline }
  const baseline = await takeSnapshot({ ...opened, settled: platform.deliveries.runDue })
  keepAppliedSeed(seedKey, baseline)
  return { ...opened, baseline }
}

async function seededBy(
  platform: Platform,
  { seed = 'empty' }: TestServerOptions,
  initial: InitialState | undefined,
): Promise<Seeded> {
  // A copy, because tests may change it.
  if (initial !== undefined) return structuredClone(initial.state.head.seeded)
  const { app } = platform
  const { isFilled, seeded } = await closingOnFailure(platform, async () => ({
    isFilled: seed !== 'empty' && (await listWorkspaces(app)).length > 0,
    seeded: await applySeed(app, seed),
  }))
  if (isFilled)
    app.log.warn(
      'The seed was ignored, because the database already has workspaces, and `seeded` is empty. Use an empty database, or omit `seed`.',
    )
  return seeded
}

const toInitialState = (state: Snapshot | undefined): InitialState | undefined =>
  state === undefined ? undefined : { state, baseline: state, encryptionKey: state.head.encryptionKey }

/** The clock of a server. A clock passed by the embedder cannot be moved. */
function createClock(option: Clock | string | Date | undefined, initialState: InitialState | undefined) {
  if (typeof option === 'object' && 'now' in option) return { clock: toServerClock(option), movable: undefined }
  const at = option === undefined ? undefined : readInstant(option, 'clock')
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

const defaultSeed = 'service'

type Options = Pick<TestServerOptions, 'random' | 'ids' | 'clock' | 'seed' | 'data' | 'databaseUrl' | 'encryptionKey'>

/** With a fixed time, seed, or randomness, runs are deterministic. Otherwise, secrets are random. */
function isRepeatable({ random, ids, clock, seed }: Options): boolean {
  if (ids !== undefined || random === 'system') return false
  return random !== undefined || seed !== undefined || typeof clock === 'string' || clock instanceof Date
}

/** Only in memory: persistent data must have unpredictable tokens. */
function createRandomness(options: Options, initialState: InitialState | undefined): Randomness {
  const { random, ids = systemIds() } = options
  const key = initialState?.encryptionKey ?? options.encryptionKey
  if (!isInMemory(options)) {
    if (random === undefined || random === 'system') return { ids, seeded: undefined, encryptionKey: key }
    throw new TypeError('`random` requires an in-memory server: predictable tokens cannot protect persistent data.')
  }
  if (!isRepeatable(options)) {
    return { ids, seeded: undefined, encryptionKey: key }
  }
  const seed = String(random ?? defaultSeed)
  const seeded = seededIds(seed)
  return { ids: seeded, seeded, encryptionKey: key ?? hash('sha256', `sealing:${seed}`) }
}

/** Random-looking ids and secrets that are the same in every run with the same seed. */
interface SeededIds extends Ids {
  readonly seed: string
  /** The number of draws. Setting it back repeats them. */
  drawn: number
}

function seededIds(seed: string): SeededIds {
  const ids: SeededIds = {
    seed,
    drawn: 0,
    bytes(length) {
      const blocks: Buffer[] = []
      for (let size = 0; size < length; size += 32) {
        blocks.push(hash('sha256', `${seed}:${ids.drawn}`, 'buffer'))
        ids.drawn += 1
      }
      return Buffer.concat(blocks).subarray(0, length)
    },
    bytesFor: (purpose, length) => hash('sha256', `${seed}:for:${purpose}`, 'buffer').subarray(0, length),
    uuid() {
      const hex = Buffer.from(ids.bytes(16)).toString('hex')
      // Version 4, variant 10 (RFC 9562 §5.4).
      const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
    },
  }
  return ids
}
