import { randomBytes, randomUUID } from 'node:crypto'

/** Where random identifiers and secrets come from. Tests put a seeded source in its place. */
export interface Ids {
  uuid(): string
  bytes(length: number): Uint8Array
}

export function systemIds(): Ids {
  return { uuid: () => randomUUID(), bytes: (length) => randomBytes(length) }
}
