import { migrations } from '../store/migrations/index.ts'
import type { ClockState } from './movable-clock.ts'
import type { Seeded } from './seeds/seed-state.ts'

// A snapshot is one line of JSON and then the database as SQLite keeps it, so that `head -1` shows what it is.

/** What belongs to a state besides its rows. */
export interface SnapshotHead {
  readonly format: 'service-snapshot'
  /** The newest migration of the database inside. */
  readonly schema: string
  readonly clock?: ClockState
  readonly ids?: { readonly seed: string; readonly drawn: number }
  /** What opens the encrypted secrets inside. */
  readonly encryptionKey?: string
  readonly seeded: Seeded
}

export interface Snapshot {
  readonly head: SnapshotHead
  readonly database: Uint8Array
}

export const newestSchema = migrations.at(-1)?.name ?? ''

const lineFeed = 10

export function encodeSnapshot({ head, database }: Snapshot): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), database])
}

/** Throws a TypeError when the bytes are no snapshot. */
export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  const end = bytes.indexOf(lineFeed)
  const head = readHead(Buffer.from(bytes.subarray(0, Math.max(0, end))).toString('utf8'))
  if (head === undefined) throw new TypeError('These bytes are no snapshot: pass what server.snapshot() gave.')
  if (head.schema > newestSchema) {
    throw new TypeError(
      `The snapshot was taken by a newer version (schema ${head.schema}; this one knows up to ${newestSchema}). Update @service/server, or take it anew.`,
    )
  }
  return { head, database: bytes.subarray(end + 1) }
}

function readHead(text: string): SnapshotHead | undefined {
  try {
    const head: unknown = JSON.parse(text)
    const isHead = typeof head === 'object' && head !== null && 'format' in head && head.format === 'service-snapshot'
    return isHead ? (head as SnapshotHead) : undefined // written by `encodeSnapshot`
  } catch {
    return undefined
  }
}
