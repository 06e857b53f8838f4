import { randomBytes } from 'node:crypto'
import type { Ids } from '../../core/ids.ts'
import { toMicros } from '../duration.ts'
import type { Latency } from './fault.ts'

const usualSigma = 0.5

export function drawLatencyMs(latency: Latency, chance: Chance): number {
  if (typeof latency !== 'object') return toMs(latency)
  if ('median' in latency) return toMs(latency.median) * Math.exp((latency.sigma ?? usualSigma) * normal(chance))
  const min = toMs(latency.min)
  return min + chance() * (toMs(latency.max) - min)
}

const toMs = (duration: Parameters<typeof toMicros>[0]) => toMicros(duration) / 1000

/** Box and Muller's way from two even draws to a normal one; 0 has no logarithm. */
const normal = (chance: Chance) => Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())

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
