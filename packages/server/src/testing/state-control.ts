import { createHash } from 'node:crypto'
import type { Config } from '../core/config.ts'
import { requireKnown } from '../core/known-keys.ts'
import type { Platform } from '../platform.ts'
import { migrate, migrations } from '../store/migrate.ts'
import { openFromBytes } from '../store/open.ts'
import type { JournalEntry } from './journal/journal-entry.ts'
import type { ClockState, MovableClock } from './movable-clock.ts'
import type { Seeded, SeedState } from './seeds/seed-state.ts'

/** The whole state of the platform: rows, clock, and the next ids. */
export interface StateControl {
  /** The state as bytes, for `restore` in this server, a fork, or another process. */
  snapshot(): Promise<Uint8Array>
  /**
   * Restores a snapshot, or the state before one of the last 100 requests that changed rows. The latter requires
   * `journal: { restorable: true }`.
   */
  restore(state: Uint8Array | StateBefore): Promise<void>
  /** Saves the state under a name, and loads it again in the same server. */
  readonly states: States
}

/** The state before a request. */
interface StateBefore {
  readonly before: Pick<JournalEntry, 'sequence'>
}

/** Named states, kept until this server closes. */
interface States {
  /** Saves the current state, replacing one with the same name. */
  save(name: string): Promise<void>
  /** Restores a saved state. Throws a TypeError if there is none with this name. */
  load(name: string): Promise<void>
  /** The names of the saved states. */
  list(): string[]
}

/** The parts of a server that make up its state. An embedder's clock or ids cannot be restored. */
export interface StateContents {
  readonly platform: Platform
  readonly clock: MovableClock | undefined
  readonly ids: { readonly seed: string; drawn: number } | undefined
  /** Whether the encryption key was generated here. A configured key is not part of a snapshot. */
  readonly isOwnKey: boolean
  readonly seedState: SeedState
}

export interface StateParts extends StateContents {
  /** Resolves when no work is running. */
  settled(): Promise<void>
  /** Ends the moves of the clock, and runs work while it is not moved. */
  interruptFor<Result>(work: () => Promise<Result>): Promise<Result>
  /** Replaces the database, and adapts what tests have received to the restored state. */
  restoreWith(swapStore: () => Promise<void>): Promise<void>
}

export function createStateControl(
  parts: StateParts,
  history: { before(sequence: number): Snapshot } | undefined,
): StateControl & { forgetStates(): void } {
  const named = new Map<string, Snapshot>()
  return {
    snapshot: async () => encodeSnapshot(await takeSnapshot(parts)),
    async restore(state) {
      if (state instanceof Uint8Array) return applySnapshot(parts, decodeSnapshot(state))
      if (!Object.keys(Object(state)).length || typeof state !== 'object') {
        throw new TypeError('`restore` requires the bytes of `server.snapshot()`, or `{ before: entry }`.')
      }
      requireKnown(state, ['before'], '`restore`')
      if (history === undefined)
        throw new TypeError('`restore({ before })` requires the option `journal: { restorable: true }`.')
      return applySnapshot(parts, history.before(state.before.sequence))
    },
    states: {
      async save(name) {
        named.set(name, await takeSnapshot(parts))
      },
      async load(name) {
        const state = named.get(name)
        if (state !== undefined) return applySnapshot(parts, state)
        const saved = [...named.keys()].map((each) => `'${each}'`).join(', ') || 'none'
        throw new TypeError(`No state '${name}' was saved. Saved states: ${saved}.`)
      },
      list: () => [...named.keys()],
    },
    forgetStates: () => named.clear(),
  }
}

export async function takeSnapshot(parts: StateContents & Pick<StateParts, 'settled'>): Promise<Snapshot> {
  // Before any work runs: a refused call changes nothing.
  if (parts.platform.app.store.bytes === undefined) throw notInMemory()
  await parts.settled()
  return readState(parts)
}

/** The current state. Call it when no transaction is open. */
export function readState({ platform, clock, ids, seedState, isOwnKey }: StateContents): Snapshot {
  const database = platform.app.store.bytes?.()
  if (database === undefined) throw notInMemory()
  const head = {
    format,
    schema: newestSchema,
    seeded: seedState.seeded,
    ...(isOwnKey ? keyOf(platform.app.config) : {}),
    ...(clock === undefined ? {} : { clock: clock.state() }),
    ...(ids === undefined ? {} : { ids: { seed: ids.seed, drawn: ids.drawn } }),
  } as const
  return { head, database }
}

const keyOf = ({ encryptionKey }: Config) => (encryptionKey === undefined ? {} : { encryptionKey })

export async function applySnapshot(parts: StateParts, snapshot: Snapshot): Promise<void> {
  const { clock, ids, seedState, platform, settled, interruptFor, restoreWith } = parts
  const { app } = platform
  if (app.store.bytes === undefined) throw notInMemory()
  await interruptFor(async () => {
    await settled()
    const store = openFromBytes(app.config, snapshot.database, app.clock)
    if (snapshot.head.schema !== newestSchema) await migrate(store, app.clock)
    if (snapshot.head.clock !== undefined) clock?.adopt(snapshot.head.clock)
    if (ids !== undefined && snapshot.head.ids?.seed === ids.seed) ids.drawn = snapshot.head.ids.drawn
    seedState.seeded = snapshot.head.seeded
    await restoreWith(() => platform.swapStore(store, snapshot.head.encryptionKey))
  })
}

export const notInMemory = () =>
  new TypeError('Reset, snapshots, and forks require an in-memory server: omit `data` and `databaseUrl`.')

// A snapshot is one line of JSON followed by the SQLite database, so that `head -1` shows its metadata.

/** The state other than the rows. */
interface SnapshotHead {
  readonly format: typeof format
  /** The latest migration of the database. */
  readonly schema: string
  readonly clock?: ClockState
  readonly ids?: { readonly seed: string; readonly drawn: number }
  /** The key of the encrypted secrets. */
  readonly encryptionKey?: string
  readonly seeded: Seeded
}

export interface Snapshot {
  readonly head: SnapshotHead
  readonly database: Uint8Array
}

const format = 'service-snapshot'
const newestSchema = migrations.at(-1)?.name ?? ''

const lineFeed = 10

function encodeSnapshot({ head, database }: Snapshot): Uint8Array {
  const digest = digestOf(JSON.stringify(head), database)
  return Buffer.concat([Buffer.from(`${JSON.stringify({ ...head, digest })}\n`), database])
}

const digestOf = (head: string, database: Uint8Array) =>
  createHash('sha256').update(head).update(database).digest('hex')

/** Throws a TypeError if the bytes are not a snapshot. */
function decodeSnapshot(bytes: Uint8Array): Snapshot {
  const end = bytes.indexOf(lineFeed)
  const found = readHead(Buffer.from(bytes.subarray(0, Math.max(0, end))).toString('utf8'))
  if (found === undefined)
    throw new TypeError(
      'The bytes are not a snapshot, or their first line has changed. Pass the result of server.snapshot().',
    )
  const { digest, ...head } = found
  const database = bytes.subarray(end + 1)
  if (digest !== digestOf(JSON.stringify(head), database)) {
    throw new TypeError(
      'The snapshot has changed since it was taken: its bytes do not match its digest. Copy it again in binary form, or take it again with server.snapshot().',
    )
  }
  if (head.schema > newestSchema) {
    throw new TypeError(
      `The snapshot was taken by a newer version (schema ${head.schema}; this one supports up to ${newestSchema}). Update @service/server, or take the snapshot again.`,
    )
  }
  return { head, database }
}

function readHead(text: string): (SnapshotHead & { readonly digest?: string }) | undefined {
  try {
    const head: unknown = JSON.parse(text)
    const isHead = typeof head === 'object' && head !== null && 'format' in head && head.format === format
    return isHead ? (head as SnapshotHead) : undefined // written by `encodeSnapshot`
  } catch {
    return undefined
  }
}
