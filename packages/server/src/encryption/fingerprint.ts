import { createHash, type KeyObject } from 'node:crypto'

/** Names a key without telling it. */
export function fingerprintOf(key: KeyObject): string {
  return createHash('sha256').update(key.export()).digest('hex').slice(0, 16)
}
