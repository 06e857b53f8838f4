import { randomBytes } from 'node:crypto'
import type { Ids } from '../../core/ids.ts'

/** From 0 up to 1. */
export type Chance = () => number

/**
 * A fault's own stream, so that it draws the same whatever else is drawn at the same time, and takes nothing from the
 * platform's identifiers. It is only as repeatable as these are.
 */
export function chanceOf(ids: Ids, fault: number | string): Chance {
  let draws = 0
  return () => {
    draws += 1
    const bytes = ids.bytesFor?.(`fault:${fault}:${draws}`, 4) ?? randomBytes(4)
    return Buffer.from(bytes).readUInt32BE(0) / 2 ** 32
  }
}
