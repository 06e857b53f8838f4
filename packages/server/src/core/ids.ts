import { randomBytes, randomUUID } from 'node:crypto'

/** Where random identifiers and secrets come from. Tests put a seeded source in its place. */
export interface Ids {
  uuid(): string
  bytes(length: number): Uint8Array
  /**
   * Bytes that depend on their purpose and on nothing that was drawn before, for what happens in no certain order. A source
   * that cannot be repeated may leave it out.
   */
  bytesFor?(purpose: string, length: number): Uint8Array
}

export function systemIds(): Ids {
  return { uuid: () => randomUUID(), bytes: (length) => randomBytes(length) }
}
