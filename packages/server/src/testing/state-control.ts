import type { Config } from '../core/config.ts'
import type { Platform } from '../platform.ts'
import { migrate } from '../store/migrate.ts'
import { openFromBytes } from '../store/open.ts'
import type { MovableClock } from './movable-clock.ts'
import type { SeededIds } from './seeded-ids.ts'
import type { SeedState } from './seeds/seed-state.ts'
import { decodeSnapshot, encodeSnapshot, newestSchema, type Snapshot, type SnapshotHead } from './snapshot.ts'

/** The platform's whole state: rows, clock, and the identifiers still to come. */
export interface StateControl {
  /** The state as bytes, for `restore` here, in a fork or in another process. */
  snapshot(): Promise<Uint8Array>
  restore(bytes: Uint8Array): Promise<void>
  readonly states: States
}

/** States with a name, kept in this server until it closes. */
export interface States {
  save(name: string): Promise<void>
  load(name: string): Promise<void>
  list(): string[]
}

/** What of a server makes up its state. A clock or identifiers of the embedder's own are not ours to put back. */
export interface StateParts {
  readonly platform: Platform
  readonly clock: MovableClock | undefined
  readonly ids: SeededIds | undefined
  /** Whether the key that encrypts secrets was made here. One that was given is not ours to hand on. */
  readonly isOwnKey: boolean
  readonly seedState: SeedState
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
}

export function createStateControl(parts: StateParts): StateControl {
  const named = new Map<string, Snapshot>()
  return {
    snapshot: async () => encodeSnapshot(await takeSnapshot(parts)),
    restore: async (bytes) => applySnapshot(parts, decodeSnapshot(bytes)),
    states: {
      async save(name) {
        named.set(name, await takeSnapshot(parts))
      },
      async load(name) {
        const state = named.get(name)
        if (state !== undefined) return applySnapshot(parts, state)
        const saved = [...named.keys()].map((each) => `'${each}'`).join(', ') || 'none'
        throw new TypeError(`No state '${name}' was saved; there is: ${saved}.`)
      },
      list: () => [...named.keys()],
    },
  }
}

export async function takeSnapshot(parts: StateParts): Promise<Snapshot> {
  await parts.settled()
  const database = parts.platform.app.store.bytes?.()
  if (database === undefined) throw notInMemory()
  return { head: headOf(parts), database }
}

export const headOf = ({ platform, clock, ids, seedState, isOwnKey }: Omit<StateParts, 'settled'>): SnapshotHead => ({
  format: 'service-snapshot',
  schema: newestSchema,
  seeded: seedState.seeded,
  ...(isOwnKey ? keyOf(platform.app.config) : {}),
  ...(clock === undefined ? {} : { clock: clock.state() }),
  ...(ids === undefined ? {} : { ids: { seed: ids.seed, drawn: ids.drawn } }),
})

const keyOf = ({ encryptionKey }: Config) => (encryptionKey === undefined ? {} : { encryptionKey })

export async function applySnapshot(parts: StateParts, snapshot: Snapshot | undefined): Promise<void> {
  const { platform, clock, ids, seedState, settled } = parts
  const { app } = platform
  if (snapshot === undefined || app.store.bytes === undefined) throw notInMemory()
  await settled()
  const store = openFromBytes(app.config, snapshot.database, app.clock)
  if (snapshot.head.schema !== newestSchema) await migrate(store, app.clock)
  if (snapshot.head.clock !== undefined) clock?.adopt(snapshot.head.clock)
  if (ids !== undefined && snapshot.head.ids?.seed === ids.seed) ids.drawn = snapshot.head.ids.drawn
  seedState.seeded = snapshot.head.seeded
  await platform.swapStore(store, snapshot.head.encryptionKey)
}

const notInMemory = () =>
  new TypeError('Reset, snapshots and forks need a server in memory: leave out `data` and `databaseUrl`.')
