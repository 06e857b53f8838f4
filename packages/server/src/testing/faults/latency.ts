import { toMicros } from '../duration.ts'
import type { Chance } from './chance.ts'
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
