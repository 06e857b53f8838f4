import { hash } from 'node:crypto'
import type { Ids } from '../core/ids.ts'

/** Random-looking identifiers and secrets that are the same in every run with the same seed. */
export interface SeededIds extends Ids {
  readonly seed: string
  /** How many have been drawn; putting it back draws them once more. */
  drawn: number
}

export function seededIds(seed: string, drawn = 0): SeededIds {
  const ids: SeededIds = {
    seed,
    drawn,
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
